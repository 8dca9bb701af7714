import MohoMapping
import MohoRows
import PostgresTesting
import StoreTesting
import Testing

@testable import MohoPostgres

/// A PostgreSQL schema that a test migrates.
struct MigratedDatabase {
  let url: String
  let connection: PostgresConnection

  init() throws {
    url = try PostgresServer.shared().emptySchema()
    connection = try PostgresConnection(url)
  }

  func open(
    _ entities: [Entity], _ configuration: PostgresConfiguration = PostgresConfiguration()
  ) throws {
    try open(try Schema(entities), configuration)
  }

  func open(
    _ schema: Schema, _ configuration: PostgresConfiguration = PostgresConfiguration()
  ) throws {
    try PostgresMigrator(schema, configuration).prepare(connection)
  }

  /// Executes SQL. Capitalized words are quoted.
  func execute(_ sql: String) throws { try connection.execute(quoted(sql)) }

  /// Returns the columns of each row, separated by `|`.
  func values(_ sql: String) throws -> [String] {
    let sql = "SELECT translate(r::text, '()\"', '') FROM (\(quoted(sql))) r"
    return try connection.query(sql).rows.map { row in
      row.string(0).split(separator: ",", omittingEmptySubsequences: false)
        .map { $0.isEmpty ? "NULL" : "\($0)" }.joined(separator: "|")
    }
  }

  private func quoted(_ sql: String) -> String {
    sql.replacing(#/(?<word>\b(_moho_)?[A-Z]([a-z]\w*|_\w+)?\b)(?!['"])/#) { match in
      "\"\(match.output.word)\""
    }
  }

  /// Expects the database to have exactly the tables of a new store.
  func expectAsDeclared(
    _ entities: [Entity], location: SourceLocation = #_sourceLocation
  ) throws {
    try connection.expectTables(of: Schema(entities), location: location)
  }
}
