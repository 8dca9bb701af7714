import CommandTesting
import Foundation
import GRDB
import MohoMapping
import MohoRows

@testable import MohoSQLite

// The functions that suites need in addition to those of `TestedStore`. Each
// engine's target has its own functions.

/// Whether requests can search texts for words.
let searchesTexts = true

/// Whether commits of other processes are reported without a request to read them.
let detectsExternalCommitsAtOnce = false

/// Creates an empty store that several threads can read at once.
///
/// - Returns: The store, and an object that owns its files.
func emptySharedStore(_ model: any MappedModel.Type) throws -> (ModelStore, AnyObject) {
  let folder = try TemporaryFolder()
  return (try ModelStore(path: folder.path("store.sqlite"), models: model), folder)
}

extension ModelStore {
  /// Runs a closure and returns the statements that read rows in the meantime.
  func selects(_ body: () throws -> Void) throws -> [String] {
    // The store prepares some statements to find out which tables they write.
    try statements(body).filter { $0.hasPrefix("SELECT") && !$0.hasSuffix("LIMIT 0") }
  }

  /// Runs a closure before observers receive any commit.
  func delayingObservers<Result>(_ body: () throws -> Result) throws -> Result {
    try writer.unsafeReentrantWrite { _ in try body() }
  }

  /// Whether the commits of the store are followed.
  var isObserved: Bool { get throws { try sqlite.commitFeed.isSubscribed } }
}

/// Statements whose SQL depends on the engine.
enum TestedSQL {
  /// Inserts a row. Deletes the row with the same value in the first column.
  static func replace(_ table: String, _ columns: [String], _ values: [String]) -> String {
    "INSERT OR REPLACE INTO \(table) (\(columns.joined(separator: ", ")))"
      + " VALUES (\(values.joined(separator: ", ")))"
  }

  /// Changes a unique value, unless another row has it.
  static func updateOrIgnore<Value>(
    _ table: String, _ column: String, _ old: Value, to new: Value
  ) -> String {
    "UPDATE OR IGNORE \(table) SET \(column) = \(new) WHERE \(column) = \(old)"
  }

  /// Changes a unique value. Deletes another row with this value.
  static func updateOrReplace<Value>(
    _ table: String, _ column: String, _ old: Value, to new: Value
  ) -> String {
    "UPDATE OR REPLACE \(table) SET \(column) = \(new) WHERE \(column) = \(old)"
  }
}

extension RandomBooks {
  /// Adds a trigger that writes rows of other tables.
  static func prepare(_ store: ModelStore) throws {
    try store.execute(
      """
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
    return (error as? DatabaseError)?.resultCode == .SQLITE_CONSTRAINT
  }
}
