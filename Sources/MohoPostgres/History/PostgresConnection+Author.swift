import MohoRows

extension PostgresConnection {
  /// Returns the statement that sets the author of the following changes of the transaction.
  /// The setting ends with the transaction, so that a pooler does not pass it on.
  static func setting(author: String?) -> String {
    "SET LOCAL \(LogName.author) = \(quotedText(author.map { "=\($0)" } ?? ""))"
  }

  /// Runs a closure whose changes have an author, in a transaction. If the closure throws, the
  /// caller must roll back to a savepoint from before, which restores the setting.
  ///
  /// - Parameter author: The author, or nil for the author of the outer call.
  func withAuthor<Result>(_ author: String?, _ body: () throws -> Result) throws -> Result {
    let outer = self.author
    guard let author, author != outer else { return try body() }
    try execute(Self.setting(author: author))
    self.author = author
    defer { self.author = outer }
    let result = try body()
    try execute(Self.setting(author: outer))
    return result
  }
}
