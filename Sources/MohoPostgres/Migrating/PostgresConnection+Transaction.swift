extension PostgresConnection {
  /// Runs a closure in a transaction, which is rolled back if the closure throws.
  ///
  /// - Throws: The errors of the closure and of ``commit()``.
  func inTransaction<Result>(_ mode: String, _ body: () throws -> Result) throws -> Result {
    try execute("BEGIN \(mode)")
    do {
      let result = try body()
      try commit()
      return result
    } catch {
      // If the connection was lost, the original error says so.
      try? executeUncanceled("ROLLBACK")
      throw error
    }
  }
}
