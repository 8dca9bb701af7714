import Foundation
import GRDB
import MohoMapping
import MohoRows
import MohoSQLite
import Synchronization

// The functions that suites need in addition to the store's own ones. Each
// engine's target has its own functions, so that suites can be compiled for all
// engines. Statements that are shared quote the names of tables, and the names
// of columns with capital letters.

/// Whether integers may be greater than `Int64.max`.
let storesUnsignedIntegers = false

/// Whether columns store all bits of dates.
let storesExactDates = true

/// Whether texts may contain U+0000.
let storesNullCharacters = true

/// Whether the identities of the rows that a plan inserts are used again.
let plansUseNoIdentities = true

/// Whether SQL steps of migrations apply delete rules.
let migrationsApplyDeleteRules = false

/// The number of random deletions in a quick test.
let deletionSeedCount = 40

/// Creates an empty store.
func emptyStore(
  _ models: any MappedModel.Type..., entities: [Entity] = []
) throws -> ModelStore {
  try emptyStore(Schema(models, entities: entities))
}

/// Creates an empty store of declared entities.
func emptyStore(entities: Entity...) throws -> ModelStore {
  try emptyStore(Schema([], entities: entities))
}

func emptyStore(_ schema: Schema) throws -> ModelStore { try ModelStore(inMemory: schema) }

/// Creates an empty store that logs its statements.
func emptyStore(_ schema: Schema, log: StatementLog?) throws -> ModelStore {
  var configuration = StoreConfiguration()
  configuration.log = log
  return try ModelStore(inMemory: schema, configuration: configuration)
}

extension ModelStore {
  /// Executes SQL in a transaction. The SQL can have savepoints.
  func execute(_ sql: String) throws {
    try write { _ in try writer.unsafeReentrantWrite { try $0.execute(sql: sql) } }
  }

  /// Executes SQL that changes a table without checking its constraints.
  func executeUnchecked(_ sql: String, changing table: String) throws {
    try writer.unsafeReentrantWrite { database in
      try database.execute(sql: "PRAGMA ignore_check_constraints = 1")
      try database.execute(sql: sql)
    }
  }

  /// Executes SQL outside of the store's transactions, so that no rule is checked.
  func executeWithoutRules(_ sql: String) throws {
    try writer.unsafeReentrantWrite { try $0.execute(sql: sql) }
  }

  /// Executes SQL on a connection without foreign keys, as other programs do.
  func executeWithoutForeignKeys(_ sql: String) throws {
    try writer.unsafeReentrantWrite { database in
      try database.execute(sql: "PRAGMA foreign_keys = OFF")
      defer { try? database.execute(sql: "PRAGMA foreign_keys = ON") }
      try database.execute(sql: sql)
    }
  }

  /// Makes insertions into a table fail.
  func refuseInsertions(into table: String) throws {
    try execute(
      "CREATE TRIGGER refuse BEFORE INSERT ON \"\(table)\" BEGIN SELECT RAISE(ABORT, 'no'); END")
  }

  func allowInsertions(into table: String) throws { try execute("DROP TRIGGER refuse") }

  /// Returns the rows of a query, with `|` between the values.
  func values(_ sql: String) throws -> [String] {
    try writer.unsafeReentrantWrite { try $0.values(sql) }
  }

  /// Returns the rows of all tables of the schema, including link tables.
  func dump() throws -> [String] { try writer.unsafeReentrantWrite { try $0.dump() } }

  /// Returns the number of rows of a table.
  func count(_ table: String) throws -> Int {
    try writer.unsafeReentrantWrite { database in
      try Int.fetchOne(database, sql: "SELECT count(*) FROM \"\(table)\"") ?? 0
    }
  }

  /// Returns the names of a table's columns.
  func columns(of table: String) throws -> [String] {
    try writer.unsafeReentrantWrite { try $0.columns(in: table).map(\.name) }
  }

  /// Returns links to rows that do not exist.
  func brokenLinks() throws -> [String] { try values("PRAGMA foreign_key_check") }

  /// Returns a value that changes when a row of a table is written, even if its
  /// values stay the same.
  func writeMark(of table: String) throws -> String {
    try writer.unsafeReentrantWrite { "\($0.totalChangesCount)" }
  }

  /// Runs a closure and returns the statements that it executed.
  func statements(_ body: () throws -> Void) throws -> [String] {
    let statements = Mutex<[String]>([])
    try writer.unsafeReentrantWrite { database in
      database.trace { event in
        guard case .statement(let statement) = event else { return }
        statements.withLock { $0.append(statement.sql) }
      }
    }
    defer { try? writer.unsafeReentrantWrite { $0.trace(nil) } }
    try body()
    return statements.withLock { $0 }
  }
}

extension Database {
  /// Returns the rows of a query, with `|` between the values.
  func values(_ sql: String) throws -> [String] {
    try Row.fetchAll(self, sql: sql).map { row in
      row.databaseValues.map { "\($0)" }.joined(separator: "|")
    }
  }

  /// Returns the rows of all tables.
  func dump() throws -> [String] {
    let tables = try String.fetchAll(
      self, sql: "SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name")
    return try tables.flatMap { table in
      try Row.fetchAll(
        self, sql: "SELECT * FROM \"\(table)\" ORDER BY rowid"
      ).map { "\(table): \($0)" }
    }
  }
}
