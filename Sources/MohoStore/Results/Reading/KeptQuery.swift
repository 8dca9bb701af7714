import GRDB

/// A statement that is kept prepared, and the values of its own parameters.
struct KeptQuery: Sendable {
  let statement: KeptStatement
  let arguments: [DatabaseValue]

  init(_ bound: BoundSQL) {
    statement = KeptStatement(bound.sql)
    arguments = bound.arguments
  }

  /// The statement on a connection, with its own values bound.
  func prepared(on database: Database) throws -> PreparedQuery {
    try PreparedQuery(statement, arguments, database)
  }
}
