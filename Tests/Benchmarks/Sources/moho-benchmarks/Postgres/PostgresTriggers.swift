import MohoMapping
import MohoPostgres
import MohoRows
import PostgresTesting

/// Updates a table with the triggers of a store that is not observed, and the same table without
/// triggers. The server runs the statements, so that no round trips are measured.
final class PostgresTriggers {
  private struct Counter: MappedModel {
    var id: Int
    var value: Int

    static let mapping = Mapping(
      "Counter", Counter.init, .key("id", \.id, .unique), .key("value", \.value))
  }

  private let connection: AdministratorConnection
  private let count: Int

  init(count: Int, _ server: PostgresServer) throws {
    self.count = count
    let url = try server.emptySchema()
    _ = try ModelStore(postgres: url, models: Counter.self)
    connection = try AdministratorConnection(url)
    try connection.execute(
      #"""
      INSERT INTO "Counter" (id, value) SELECT i, 0 FROM generate_series(1, \#(count)) i;
      CREATE TABLE plain (LIKE "Counter" INCLUDING ALL);
      INSERT INTO plain SELECT * FROM "Counter"
      """#)
  }

  /// The contenders that update each row by a statement of its own.
  var single: [Contender] {
    contenders { table in
      """
      DO $$ BEGIN
        FOR i IN 1..\(self.count) LOOP UPDATE \(table) SET value = value + 1 WHERE id = i; END LOOP;
      END $$
      """
    }
  }

  /// The contenders that update all rows by one statement.
  var bulk: [Contender] { contenders { "UPDATE \($0) SET value = value + 1" } }

  private func contenders(_ sql: @escaping (String) -> String) -> [Contender] {
    [("Moho, not observed", #""Counter""#), ("the same table without triggers", "plain")].map {
      name, table in
      Contender(
        name: name,
        reset: {
          try self.connection.execute("UPDATE \(table) SET value = 0")
          try self.connection.execute("VACUUM \(table)")
        },
        work: { try self.connection.execute(sql(table)) },
        checksum: {
          let rows = try self.connection.execute("SELECT sum(value)::text FROM \(table)")
          return rows.first?.first.flatMap { $0 }.flatMap { Double($0) } ?? .nan
        })
    }
  }
}
