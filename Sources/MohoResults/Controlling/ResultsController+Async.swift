import MohoMapping
public import MohoRows

// In an asynchronous context, the compiler selects these initializers and methods
// instead of the blocking ones of the same names.
extension ResultsController {
  /// Fetches the result of a request, and follows it, without blocking the calling thread.
  ///
  /// The parameters are those of the blocking initializer of the same name.
  ///
  /// - Throws: The errors of the blocking initializer, and `CancellationError` if the task is
  ///   canceled.
  public convenience init(
    _ request: ModelRequest<Model>, in store: ModelStore,
    sectionedBy section: ((ModelKeys<Model>) -> any RequestOperand)? = nil,
    summaries: (ModelKeys<Model>) -> [Aggregate] = { _ in [] },
    startingWith initialRows: InitialRows = .allRows
  ) async throws {
    try await self.init(
      request, sectionedBy: section.map(ModelRequest<Model>.operand),
      summaries: request.summaries(summaries), in: store, startingWith: initialRows)
  }

  /// Replaces the request, the sections and the summaries, without blocking the calling
  /// thread.
  ///
  /// The parameters are those of the blocking method of the same name.
  ///
  /// - Throws: The errors of the blocking method, and `CancellationError` if the task is
  ///   canceled. The previous request then remains in effect.
  /// - Complexity: O(*n*) in the number of rows of both results.
  public func setRequest(
    _ request: ModelRequest<Model>,
    sectionedBy section: ((ModelKeys<Model>) -> any RequestOperand)? = nil,
    summaries: (ModelKeys<Model>) -> [Aggregate] = { _ in [] }
  ) async throws {
    try await follow(
      request, sectionedBy: section.map(ModelRequest<Model>.operand), request.summaries(summaries))
  }

  private func follow(
    _ request: ModelRequest<Model>, sectionedBy section: Operand?,
    _ summaries: RequestAggregates
  ) async throws {
    try await follower.store.engine.perform(.observing) { [follower] in
      try follower.follow(request, sectionedBy: section, summaries: summaries)
    }
  }
}
