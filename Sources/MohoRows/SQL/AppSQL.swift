package import MohoMapping

/// SQL that an app has written, with the values of its parameters.
package struct AppSQL {
  package let text: String
  package let arguments: [FieldContent]

  /// - Throws: A ``StoreError`` if the text contains U+0000, at which SQLite and libpq
  ///   would end it.
  package init(_ text: String) throws {
    try self.init(text, [])
  }

  /// - Throws: A ``StoreError`` if the text contains U+0000, at which SQLite and libpq
  ///   would end it. A `MappingError` if an argument cannot be written.
  init(_ text: String, _ arguments: [any FieldValue]) throws {
    guard !text.utf8.contains(0) else {
      throw StoreError(
        .invalidRequest, reason: "the SQL contains the character U+0000",
        suggestion: "pass values as arguments")
    }
    self.text = text
    self.arguments = try arguments.map { try FieldRecorder.content(of: $0) }
  }
}

extension AppSQL {
  /// - Throws: A ``StoreError`` if the number of arguments is not that of the parameters.
  package func checkArguments(parameterCount: Int) throws {
    guard parameterCount == arguments.count else {
      throw StoreError(
        .invalidRequest,
        reason: "the SQL has \(parameterCount) parameters, but there are \(arguments.count)"
          + " arguments")
    }
  }
}

extension StoreError {
  /// The error of a statement that controls transactions, connections or files.
  ///
  /// - Parameters:
  ///   - name: The keywords of the statement, if they are known.
  ///   - configuration: The type that configures connections.
  package static func controlStatement(
    _ name: String?, configuration: String, underlying: (any Error)? = nil
  ) -> StoreError {
    StoreError(
      .invalidRequest, subject: name.map { "`\($0)`" },
      reason: "SQL of the app must not control transactions, connections or files",
      suggestion: "return from the closure to commit, or throw an error to roll back; configure"
        + " connections with `\(configuration)`", underlying: underlying)
  }

  /// The error of a query of an app that would change the database.
  package static func changingQuery(underlying: (any Error)? = nil) -> StoreError {
    StoreError(
      .invalidRequest, reason: "the SQL changes the database",
      suggestion: "use `StoreWriter.execute(sql:arguments:)`", underlying: underlying)
  }

  /// The error of a query of an app that is not a single statement.
  package static func queryOfStatements(_ count: Int) -> StoreError {
    StoreError(
      .invalidRequest,
      reason: count == 0 ? "the SQL has no statement" : "the SQL has several statements",
      suggestion: "fetch the rows of one statement")
  }
}
