import CommandTesting
import Dispatch
import GRDB
import MohoMapping
import StoreTesting

@testable import MohoPostgres
@testable import MohoRows
@testable import MohoSQLite

/// Creates an empty store that several threads can read at once.
///
/// - Returns: The store, and the owner of its files, if it has any.
func emptySharedStore(_ model: any MappedModel.Type) throws -> (ModelStore, TemporaryFolder?) {
  switch TestedEngine.current {
  case .sqlite:
    let folder = try TemporaryFolder()
    return (try ModelStore(path: folder.path("store.sqlite"), models: model), folder)
  case .postgres: return (try emptyStore(model), nil)
  }
}

extension ModelStore {
  private var postgres: PostgresEngine? { engine as? PostgresEngine }

  /// Runs a closure and returns the statements that read rows in the meantime.
  func selects(_ body: () throws -> Void) throws -> [String] {
    try statements(body).filter { sql in
      guard sql.hasPrefix("SELECT") else { return false }
      // On SQLite, some statements are prepared to find out which tables they write. On
      // PostgreSQL, the names of the log and of the table of listeners begin like this.
      return isOnPostgres ? !sql.contains("\"_moho l") : !sql.hasSuffix("LIMIT 0")
    }
  }

  /// Runs a closure before observers receive any commit.
  func delayingObservers<Result>(_ body: () throws -> Result) throws -> Result {
    if let postgres { return try postgres.commitFeed.queue.sync { try body() } }
    return try writer.unsafeReentrantWrite { _ in try body() }
  }

  /// Whether the commits of the store are followed.
  var isObserved: Bool {
    get throws { try postgres?.commitFeed.isSubscribed ?? sqlite.commitFeed.isSubscribed }
  }
}

/// Statements whose SQL depends on the engine.
enum TestedSQL {
  private static var isPostgres: Bool { TestedEngine.current == .postgres }

  /// Inserts a row. Deletes the row with the same value in the first column.
  static func replace(_ table: String, _ columns: [String], _ values: [String]) -> String {
    let row = "(\(columns.joined(separator: ", "))) VALUES (\(values.joined(separator: ", ")))"
    return isPostgres
      ? "DELETE FROM \"\(table)\" WHERE \(columns[0]) = \(values[0]);\nINSERT INTO \"\(table)\" \(row)"
      : "INSERT OR REPLACE INTO \(table) \(row)"
  }

  /// Changes a unique value, unless another row has it.
  static func updateOrIgnore<Value>(
    _ table: String, _ column: String, _ old: Value, to new: Value
  ) -> String {
    let update = "\"\(table)\" SET \(column) = \(new) WHERE \(column) = \(old)"
    return isPostgres
      ? "UPDATE \(update) AND NOT EXISTS (SELECT FROM \"\(table)\" WHERE \(column) = \(new))"
      : "UPDATE OR IGNORE \(update)"
  }

  /// Changes a unique value. Deletes another row with this value.
  static func updateOrReplace<Value>(
    _ table: String, _ column: String, _ old: Value, to new: Value
  ) -> String {
    let update = "\"\(table)\" SET \(column) = \(new) WHERE \(column) = \(old)"
    return isPostgres
      ? "DELETE FROM \"\(table)\" WHERE \(column) = \(new) AND \(new) <> \(old);\nUPDATE \(update)"
      : "UPDATE OR REPLACE \(update)"
  }
}

extension RandomBooks {
  /// Adds a trigger that writes rows of other tables.
  static func prepare(_ store: ModelStore) throws {
    try store.execute(
      store.isOnPostgres
        ? """
        CREATE FUNCTION shorten() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
          UPDATE "Chapter" SET length = length / 2 WHERE book = NEW.id;
          UPDATE "Shelf" SET rank = rank + 1 WHERE id = NEW.shelf;
          RETURN NULL;
        END $$;
        CREATE TRIGGER shorten AFTER UPDATE OF genre ON "Book" FOR EACH ROW
          WHEN (NEW.genre = 'poetry') EXECUTE FUNCTION shorten();
        """
        : """
        CREATE TRIGGER shorten AFTER UPDATE OF genre ON Book WHEN NEW.genre = 'poetry' BEGIN
          UPDATE Chapter SET length = length / 2 WHERE book = NEW.id;
          UPDATE Shelf SET rank = rank + 1 WHERE id = NEW.shelf;
        END
        """)
  }
}

extension Error {
  /// Whether a statement violates a constraint.
  var isConstraintFailure: Bool {
    let error = (self as? StoreError)?.underlying ?? self
    if let error = error as? PostgresError { return error.sqlState?.hasPrefix("23") ?? false }
    return (error as? DatabaseError)?.resultCode == .SQLITE_CONSTRAINT
  }
}
