import MohoMapping
public import MohoRows

// In an asynchronous context, the compiler selects these initializers and methods
// instead of the blocking ones of the same names.
extension ResultsController {
  /// Fetches the result of a request in a single section, and follows it, without
  /// blocking the calling thread.
  ///
  /// - Throws: `StoreError` if the request is invalid or cannot be executed, and
  ///   `CancellationError` if the task is canceled.
  public convenience init(
    _ request: ModelRequest<Model>, in store: ModelStore,
    summaries: (ModelKeys<Model>) -> [Aggregate] = { _ in [] },
    startingWith initialRows: InitialRows = .allRows
  ) async throws {
    try await self.init(
      request, sectionedBy: nil, summaries: request.summaries(summaries), in: store,
      startingWith: initialRows)
  }

  /// Fetches the result of a request, sectioned by a key, and follows it, without
  /// blocking the calling thread.
  ///
  /// The section key must be the first ordering of the request. If the ordering
  /// ignores letter case or accents, rows with equal texts are one section, whose
  /// key is the text without these differences. Rows without a value form a
  /// section of their own.
  ///
  /// - Throws: ``ResultsError`` if the section key is not the first ordering or
  ///   has binary values, and the errors of the initializer without sections.
  public convenience init<Section>(
    _ request: ModelRequest<Model>, in store: ModelStore,
    sectionedBy keyPath: KeyPath<Model, Section>,
    summaries: (ModelKeys<Model>) -> [Aggregate] = { _ in [] },
    startingWith initialRows: InitialRows = .allRows
  ) async throws {
    try await self.init(
      request, sectionedBy: .key(KeyName(keyPath, of: Model.self)),
      summaries: request.summaries(summaries), in: store, startingWith: initialRows)
  }

  /// Fetches the result of a request, sectioned by a value that is calculated
  /// from keys or read from related rows, and follows it, without blocking the
  /// calling thread.
  ///
  /// The value must be the first ordering of the request.
  ///
  /// - Throws: ``ResultsError`` if the value is not the first ordering or is
  ///   binary, and the errors of the initializer without sections.
  public convenience init<Section: RequestOperand>(
    _ request: ModelRequest<Model>, in store: ModelStore,
    sectionedBy section: (ModelKeys<Model>) -> Section,
    summaries: (ModelKeys<Model>) -> [Aggregate] = { _ in [] },
    startingWith initialRows: InitialRows = .allRows
  ) async throws {
    try await self.init(
      request, sectionedBy: ModelRequest<Model>.operand(section),
      summaries: request.summaries(summaries), in: store, startingWith: initialRows)
  }

  /// Replaces the request, without blocking the calling thread.
  ///
  /// - Throws: The errors of `init(_:in:startingWith:)`, and
  ///   `CancellationError` if the task is canceled. The previous request then
  ///   remains in effect.
  /// - Complexity: O(*n*) in the number of rows of both results.
  public func setRequest(
    _ request: ModelRequest<Model>, summaries: (ModelKeys<Model>) -> [Aggregate] = { _ in [] }
  ) async throws {
    try await follow(request, sectionedBy: nil, request.summaries(summaries))
  }

  /// Replaces the request, and sections its result by a key, without blocking the
  /// calling thread.
  ///
  /// - Throws: ``ResultsError`` if the section key is not the first ordering or
  ///   has binary values, and the errors of replacing the request without
  ///   sections. The previous request then remains in effect.
  /// - Complexity: O(*n*) in the number of rows of both results.
  public func setRequest<Section>(
    _ request: ModelRequest<Model>, sectionedBy keyPath: KeyPath<Model, Section>,
    summaries: (ModelKeys<Model>) -> [Aggregate] = { _ in [] }
  ) async throws {
    try await follow(
      request, sectionedBy: .key(KeyName(keyPath, of: Model.self)), request.summaries(summaries))
  }

  /// Replaces the request, and sections its result by a value that is calculated
  /// from keys or read from related rows, without blocking the calling thread.
  ///
  /// - Throws: ``ResultsError`` if the section key is not the first ordering or
  ///   has binary values, and the errors of replacing the request without
  ///   sections. The previous request then remains in effect.
  /// - Complexity: O(*n*) in the number of rows of both results.
  public func setRequest<Section: RequestOperand>(
    _ request: ModelRequest<Model>, sectionedBy section: (ModelKeys<Model>) -> Section,
    summaries: (ModelKeys<Model>) -> [Aggregate] = { _ in [] }
  ) async throws {
    try await follow(
      request, sectionedBy: ModelRequest<Model>.operand(section), request.summaries(summaries))
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
