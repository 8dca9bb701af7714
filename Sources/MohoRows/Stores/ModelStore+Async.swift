public import MohoMapping

// In an asynchronous context, the compiler selects these methods instead of the
// blocking methods of the same names. Swift 6.3 does not regard the top level of a
// file as one: there it rates an asynchronous method lower than a method with
// `@_disfavoredOverload`, and `@available(*, noasync)` makes the selected method an
// error.
extension ModelStore {
  /// Runs a closure that reads one committed state of the store.
  ///
  /// ```swift
  /// let (newest, count) = try await store.read { reader in
  ///   (try reader.fetchFirst(request), try reader.fetchCount(request))
  /// }
  /// ```
  ///
  /// The closure runs on a queue of the store. The calling task is suspended
  /// meanwhile, so no thread of Swift's cooperative thread pool is blocked.
  ///
  /// - Throws: Errors of the closure, ``StoreError``, and `CancellationError` if
  ///   the task is canceled.
  public func read<Result: Sendable>(
    _ body: @Sendable (StoreReader) throws -> Result
  ) async throws -> Result {
    try await perform(.read) { [engine] report in
      try engine.read { reader in
        report.beginAttempt()
        return try body(reader)
      }
    }
  }

  /// Runs a closure that changes the store in one transaction.
  ///
  /// ```swift
  /// try await store.write { try $0.save(episodes) }
  /// ```
  ///
  /// All changes are committed when the closure returns. If it throws, none of
  /// them is. Links are checked just before the commit, so rows may be written in
  /// any order.
  ///
  /// The closure runs on the queue of the writer. The calling task is suspended
  /// meanwhile, so no thread of Swift's cooperative thread pool is blocked.
  ///
  /// If the task is canceled before the commit begins, the running statement is
  /// interrupted, all later statements throw `CancellationError`, and the
  /// transaction is rolled back, even if the closure catches these errors. If the
  /// task is canceled while the commit is running or after it, the method returns
  /// as if the task were not canceled. A canceled call that waits for other
  /// writes throws when its turn comes.
  ///
  /// At the top level of `main.swift`, the compiler selects the blocking methods of
  /// a store, also after `await`, and warns that "no 'async' operations occur within
  /// 'await' expression". Call this method in an asynchronous function there.
  ///
  /// - Throws: Errors of the closure, ``StoreError``, and `CancellationError` if
  ///   the task is canceled. The code of the store's error is
  ///   ``StoreError/Code/danglingReference`` if a row would be linked to a row
  ///   that does not exist.
  @discardableResult
  public func write<Result: Sendable>(
    _ body: @Sendable (StoreWriter) throws -> Result
  ) async throws -> Result {
    try await write(author: nil, body)
  }

  /// The models of a request, in the order of the request.
  ///
  /// - Throws: As ``StoreReader/fetch(_:)``, and `CancellationError` if the task
  ///   is canceled.
  public func fetch<Model: MappedModel>(_ request: ModelRequest<Model>) async throws -> [Model] {
    try await read { try $0.fetch(request) }
  }

  /// The first model of a request, or nil if the request has no models.
  ///
  /// - Throws: As ``StoreReader/fetch(_:)``, and `CancellationError` if the task
  ///   is canceled.
  public func fetchFirst<Model: MappedModel>(
    _ request: ModelRequest<Model>
  ) async throws -> Model? {
    try await read { try $0.fetchFirst(request) }
  }

  /// The number of rows of a request, without reading them.
  ///
  /// - Throws: As ``StoreReader/fetchCount(_:)``, and `CancellationError` if the
  ///   task is canceled.
  public func fetchCount(_ request: some StoreRequest) async throws -> Int {
    let rows = request.rows
    return try await read { try $0.fetchCount(rows) }
  }

  /// Whether a request has any rows.
  ///
  /// - Throws: As ``StoreReader/exists(_:)``, and `CancellationError` if the task
  ///   is canceled.
  public func exists(_ request: some StoreRequest) async throws -> Bool {
    let rows = request.rows
    return try await read { try $0.exists(rows) }
  }

  /// The identities of the rows of a request, in order.
  ///
  /// - Throws: As ``StoreReader/fetchIdentities(_:)``, and `CancellationError` if
  ///   the task is canceled.
  public func fetchIdentities(_ request: some StoreRequest) async throws -> [Int64] {
    let rows = request.rows
    return try await read { try $0.fetchIdentities(rows) }
  }

  /// Values of the rows of a request, in order.
  ///
  /// - Throws: As ``StoreReader/fetchValues(_:_:)``, and `CancellationError` if
  ///   the task is canceled.
  public func fetchValues<Request: StoreRequest>(
    _ request: Request, _ selection: (Request.Keys) -> [any RequestOperand]
  ) async throws -> [ValueRow] {
    let values = request.values(selection)
    return try await read { try $0.fetch(values) }
  }

  /// Values computed from all rows of a request.
  ///
  /// - Throws: As ``StoreReader/fetchAggregates(_:_:)``, and `CancellationError`
  ///   if the task is canceled.
  public func fetchAggregates<Request: StoreRequest>(
    _ request: Request, _ aggregates: (Request.Keys) -> [Aggregate]
  ) async throws -> ValueRow {
    let aggregates = request.aggregates(groupedBy: { _ in [] }, aggregates)
    return try await read { try $0.fetchFirst(aggregates) }
  }

  /// Values computed from groups of the rows of a request.
  ///
  /// - Throws: As ``StoreReader/fetchAggregates(_:groupedBy:_:)``, and
  ///   `CancellationError` if the task is canceled.
  public func fetchAggregates<Request: StoreRequest>(
    _ request: Request, groupedBy keys: (Request.Keys) -> [any RequestOperand],
    _ aggregates: (Request.Keys) -> [Aggregate]
  ) async throws -> [ValueRow] {
    let aggregates = request.aggregates(groupedBy: keys, aggregates)
    return try await read { try $0.fetch(aggregates) }
  }

  /// The groups of a request with their values, in order.
  ///
  /// - Throws: As ``StoreReader/fetchGroups(_:)``, and `CancellationError` if the task is
  ///   canceled.
  public func fetchGroups<Rows>(_ request: GroupRequest<Rows>) async throws -> [ValueRow] {
    try await read { try $0.fetchGroups(request) }
  }
}
