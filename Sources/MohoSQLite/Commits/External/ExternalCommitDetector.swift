import GRDB
import GRDBSQLite
import MohoRows

/// Detects commits of other connections and processes.
///
/// `PRAGMA data_version` changes when another connection commits. `PRAGMA
/// schema_version` changes when any connection changes the schema, including
/// this one. To find the changed rows, two snapshots of the database are
/// compared, if the earlier snapshot is still open.
///
/// Not `Sendable`: use it only on the queue of its connection.
final class ExternalCommitDetector {
  /// The changes since the last check.
  enum Changes {
    /// There are no commits of other connections.
    case none
    /// All rows that differ between the two snapshots, by table. They include
    /// changes that this connection has committed.
    case rows([String: RowWriteSet])
    /// There are changes, but the changed rows cannot be determined. Any row
    /// may have changed.
    case unknown
  }

  private struct Versions: Equatable {
    let data: Int64?
    let schema: Int64?
  }

  // These statements run for each commit, so they are cached.
  private let dataVersion = CachedStatement("PRAGMA data_version")
  private let schemaVersion = CachedStatement("PRAGMA schema_version")
  private let begin = CachedStatement("BEGIN DEFERRED")
  private let commit = CachedStatement("COMMIT")

  private let schema: Schema
  private let usesSnapshots: Bool
  private var versions: Versions?
  private var snapshots: SnapshotPair?

  /// The maximum number of attempts to open a snapshot before another
  /// connection commits again.
  private static let attempts = 16

  init(_ schema: Schema, usesSnapshots: Bool) {
    self.schema = schema
    self.usesSnapshots = usesSnapshots
  }

  /// The path of the write-ahead log, or nil if no snapshots are opened.
  var log: String? { snapshots?.log }

  /// Closes the snapshots and forgets the versions. The next check detects no
  /// changes.
  func forget() {
    versions = nil
    snapshots = nil
  }

  /// Runs a read-only closure in a single transaction that reads the latest
  /// state of the database. The closure receives the changes of other
  /// connections since the previous call. The first call detects no changes.
  ///
  /// The connection must not be in a transaction.
  func readLatestState<Value>(
    of database: Database, _ body: (Changes) throws -> Value
  ) throws -> Value {
    if versions == nil, usesSnapshots, snapshots == nil {
      // Without snapshots, changes are detected but the changed rows are
      // unknown.
      snapshots = (try? SnapshotPair(of: database, schema)) ?? nil
    }
    var expected = versions
    var attempt = 0
    while true {
      attempt += 1
      // If the version is the same before and after the snapshot is opened, the
      // snapshot has the same state as the transaction.
      snapshots?.openNewest(of: database)
      var isExternal = false
      let value: Value? = try isolated(database) {
        let found = try versions(of: database)
        if found != expected, snapshots?.isNewestOpen == true, attempt < Self.attempts {
          expected = found
          return nil
        }
        isExternal = found.data != versions?.data
        return try body(advance(to: found, isVerified: found == expected))
      }
      guard let value else { continue }
      snapshots?.restartLog(of: database, hasExternalWrites: isExternal) {
        (try? self.versions(of: database)) == versions
      }
      return value
    }
  }

  /// Makes the newest snapshot the reported one, and returns the changes between
  /// the two.
  ///
  /// - Parameter isVerified: Whether the newest snapshot has the same state as
  ///   the transaction.
  private func advance(to found: Versions, isVerified: Bool) -> Changes {
    defer {
      versions = found
      if isVerified, snapshots?.isNewestOpen == true {
        snapshots?.promoteNewest()
      } else {
        snapshots?.close()
      }
    }
    guard let versions, versions != found else { return .none }
    guard versions.schema == found.schema, isVerified, let snapshots, snapshots.isReportedOpen,
      snapshots.isNewestOpen,
      let differences = try? snapshots.differences()
    else { return .unknown }
    return .rows(differences)
  }

  /// Runs a read-only closure in a single transaction.
  // This method calls SQLite directly. GRDB would notify observers about the
  // end of the transaction. To prevent this, it would need a pragma after which
  // SQLite prepares all statements of the connection again.
  private func isolated<Value>(_ database: Database, _ body: () throws -> Value) throws -> Value {
    try begin.prepared(on: database).run()
    defer {
      if (try? commit.prepared(on: database).run()) == nil {
        sqlite3_exec(database.sqliteConnection, "ROLLBACK", nil, nil, nil)
      }
    }
    return try body()
  }

  private func versions(of database: Database) throws -> Versions {
    func version(_ statement: CachedStatement) throws -> Int64? {
      try statement.prepared(on: database).first { sqlite3_column_int64($0, 0) }
    }
    return try Versions(data: version(dataVersion), schema: version(schemaVersion))
  }
}
