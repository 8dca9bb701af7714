import Dispatch
import MohoMapping
import PostgresTesting

@testable import MohoPostgres
@testable import MohoRows

// The functions that suites need in addition to those of `TestedStore`. They are
// those of `MohoResultsTests`, for stores on PostgreSQL.

/// Whether requests can search texts for words.
let searchesTexts = false

/// Whether commits of other processes are reported without a request to read them.
let detectsExternalCommitsAtOnce = true

/// Creates an empty store that several threads can read at once.
func emptySharedStore(_ model: any MappedModel.Type) throws -> (ModelStore, AnyObject?) {
  (try emptyStore(model), nil)
}

extension ModelStore {
  private var postgres: PostgresEngine {
    get throws {
      guard let engine = engine as? PostgresEngine else { throw CancellationError() }
      return engine
    }
  }

  /// Runs a closure and returns the statements that read rows in the meantime.
  func selects(_ body: () throws -> Void) throws -> [String] {
    // The names of the log and of the table of listeners begin like this.
    try statements(body).filter { $0.hasPrefix("SELECT") && !$0.contains("\"_moho l") }
  }

  /// Runs a closure before observers receive any commit.
  func delayingObservers<Result>(_ body: () throws -> Result) throws -> Result {
    try postgres.commitFeed.queue.sync { try body() }
  }

  /// Whether the commits of the store are followed.
  var isObserved: Bool { get throws { try postgres.commitFeed.isSubscribed } }

  /// Runs a closure with a store of books and a connection that writes to its
  /// tables.
  static func withExternalWriter(
    _ body: (ModelStore, ExternalWriter) throws -> Void
  ) throws {
    let url = try PostgresServer.shared().emptySchema()
    var configuration = PostgresConfiguration()
    configuration.ignoresSearchableKeys = true
    let store = try ModelStore(
      postgres: url, models: Book.self, Shelf.self, Chapter.self, Tag.self,
      configuration: configuration)
    try body(store, ExternalWriter(connection: AdministratorConnection(url)))
  }
}

/// A connection that writes to the tables of a store.
struct ExternalWriter {
  let connection: AdministratorConnection

  /// Executes one transaction.
  ///
  /// - Returns: Whether it was committed. False if it violates a constraint.
  @discardableResult
  func commit(_ statements: [String]) throws -> Bool {
    do {
      try connection.execute("BEGIN; \(statements.joined(separator: ";\n")); COMMIT")
      return true
    } catch {
      try connection.execute("ROLLBACK")
      return false
    }
  }
}

/// Statements whose SQL depends on the engine.
enum TestedSQL {
  /// Inserts a row. Deletes the row with the same value in the first column.
  static func replace(_ table: String, _ columns: [String], _ values: [String]) -> String {
    "DELETE FROM \"\(table)\" WHERE \(columns[0]) = \(values[0]);\n"
      + "INSERT INTO \"\(table)\" (\(columns.joined(separator: ", ")))"
      + " VALUES (\(values.joined(separator: ", ")))"
  }

  /// Changes a unique value, unless another row has it.
  static func updateOrIgnore<Value>(
    _ table: String, _ column: String, _ old: Value, to new: Value
  ) -> String {
    "UPDATE \"\(table)\" SET \(column) = \(new) WHERE \(column) = \(old)"
      + " AND NOT EXISTS (SELECT FROM \"\(table)\" WHERE \(column) = \(new))"
  }

  /// Changes a unique value. Deletes another row with this value.
  static func updateOrReplace<Value>(
    _ table: String, _ column: String, _ old: Value, to new: Value
  ) -> String {
    "DELETE FROM \"\(table)\" WHERE \(column) = \(new) AND \(new) <> \(old);\n"
      + "UPDATE \"\(table)\" SET \(column) = \(new) WHERE \(column) = \(old)"
  }
}

extension RandomBooks {
  /// Adds a trigger that writes rows of other tables.
  static func prepare(_ store: ModelStore) throws {
    try store.execute(
      """
      CREATE FUNCTION shorten() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
        UPDATE "Chapter" SET length = length / 2 WHERE book = NEW.id;
        UPDATE "Shelf" SET rank = rank + 1 WHERE id = NEW.shelf;
        RETURN NULL;
      END $$;
      CREATE TRIGGER shorten AFTER UPDATE OF genre ON "Book" FOR EACH ROW
        WHEN (NEW.genre = 'poetry') EXECUTE FUNCTION shorten();
      """)
  }
}

extension Error {
  /// Whether a statement violates a constraint.
  var isConstraintFailure: Bool {
    let error = (self as? StoreError)?.underlying as? PostgresError
    return error?.sqlState?.hasPrefix("23") ?? false
  }
}
