extension ModelStore {
  /// Checks the file and all references between rows.
  ///
  /// A store prevents references to rows that do not exist. Other programs can leave them,
  /// because SQLite enforces foreign keys only on connections that enable them.
  ///
  /// ```swift
  /// for reference in try store.check().danglingReferences { print(reference) }
  /// ```
  ///
  /// - Parameter limit: The maximum number of reported references for each relation.
  /// - Throws: A ``StoreError`` if the store cannot be read.
  /// - Complexity: O(*n* log *n*), where *n* is the number of rows in all tables.
  public func check(limit: Int = 100) throws -> StoreCheck {
    try read { try $0.check(limit: limit) }
  }

  /// Checks the file and all references between rows.
  ///
  /// - Throws: A ``StoreError`` if the store cannot be read, and `CancellationError` if the
  ///   task is canceled.
  public func check(limit: Int = 100) async throws -> StoreCheck {
    try await read { try $0.check(limit: limit) }
  }
}

extension StoreReader {
  /// Checks the file and all references between rows. See `ModelStore.check(limit:)`.
  ///
  /// - Throws: A ``StoreError`` if the store cannot be read.
  public func check(limit: Int = 100) throws -> StoreCheck {
    var check = StoreCheck()
    check.damage = try session.damage(limit: max(1, limit))
    for link in schema.checkedLinks { try link.check(session, max(0, limit), into: &check) }
    return check
  }
}
