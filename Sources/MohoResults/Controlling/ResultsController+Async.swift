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
    startingWith initialRows: InitialRows = .allRows
  ) async throws {
    try await self.init(request, sectionedBy: nil, in: store, startingWith: initialRows)
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
    startingWith initialRows: InitialRows = .allRows
  ) async throws {
    let key = Operand.key(KeyName(keyPath, of: Model.self))
    try await self.init(request, sectionedBy: key, in: store, startingWith: initialRows)
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
    startingWith initialRows: InitialRows = .allRows
  ) async throws {
    try await self.init(
      request, sectionedBy: ModelRequest<Model>.operand(section), in: store,
      startingWith: initialRows)
  }

  /// Replaces the request, without blocking the calling thread.
  ///
  /// - Throws: The errors of `init(_:in:startingWith:)`, and
  ///   `CancellationError` if the task is canceled. The previous request then
  ///   remains in effect.
  /// - Complexity: O(*n*) in the number of rows of both results.
  public func setRequest(_ request: ModelRequest<Model>) async throws {
    try await setRequest(request, sectionedBy: nil)
  }

  /// Replaces the request, and sections its result by a key, without blocking the
  /// calling thread.
  ///
  /// - Throws: ``ResultsError`` if the section key is not the first ordering or
  ///   has binary values, and the errors of replacing the request without
  ///   sections. The previous request then remains in effect.
  /// - Complexity: O(*n*) in the number of rows of both results.
  public func setRequest<Section>(
    _ request: ModelRequest<Model>, sectionedBy keyPath: KeyPath<Model, Section>
  ) async throws {
    try await setRequest(
      request, sectionedBy: Operand.key(KeyName(keyPath, of: Model.self)) as Operand?)
  }

  /// Replaces the request, and sections its result by a value that is calculated
  /// from keys or read from related rows, without blocking the calling thread.
  ///
  /// - Throws: ``ResultsError`` if the section key is not the first ordering or
  ///   has binary values, and the errors of replacing the request without
  ///   sections. The previous request then remains in effect.
  /// - Complexity: O(*n*) in the number of rows of both results.
  public func setRequest<Section: RequestOperand>(
    _ request: ModelRequest<Model>, sectionedBy section: (ModelKeys<Model>) -> Section
  ) async throws {
    try await setRequest(request, sectionedBy: ModelRequest<Model>.operand(section) as Operand?)
  }

  private func setRequest(
    _ request: ModelRequest<Model>, sectionedBy section: Operand?
  ) async throws {
    try await follower.store.engine.perform(.observing) { [follower] in
      try follower.follow(request, sectionedBy: section)
    }
  }
}
