extension ModelStore {
  /// Reads the newest state where subscribers are told of commits, when they
  /// have been told of all that led to it.
  ///
  /// - Throws: As ``observe(_:onCommit:)``.
  package func readNewest<Value>(_ body: (StoreReader) throws -> Value) throws -> Value {
    var value: Value?
    _ = try observe(
      { reader in
        value = try body(reader)
        return Nobody()
      }, onCommit: { _, _, _ in })
    guard let value else { throw StoreError(.database, reason: "the state was not read") }
    return value
  }
}

/// An observer that nobody holds.
private final class Nobody: Sendable {}
