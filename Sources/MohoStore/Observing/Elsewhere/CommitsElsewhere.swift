import GRDB
import GRDBSQLite

/// Notices what other connections and processes have committed.
///
/// `PRAGMA data_version` says that there was something, and `PRAGMA
/// schema_version` that tables have changed, also by commits of this
/// connection. Which rows it was is told by the difference of two states, where
/// the one before could be held open.
///
/// Not `Sendable`: it is used on the queue of its connection.
final class CommitsElsewhere {
  /// What has been committed elsewhere since the last time.
  enum Found {
    /// Nothing.
    case nothing
    /// All rows in which the two states differ, by table, also by this
    /// connection's commits.
    case rows([String: WrittenRows])
    /// Something of which no more is known, so any row may have changed.
    case anything
  }

  private struct Versions: Equatable {
    let data: Int64?
    let schema: Int64?
  }

  // Run around each commit, and so kept.
  private let dataVersion = KeptStatement("PRAGMA data_version")
  private let schemaVersion = KeptStatement("PRAGMA schema_version")
  private let begin = KeptStatement("BEGIN DEFERRED")
  private let commit = KeptStatement("COMMIT")

  private let schema: Schema
  private let holdsStates: Bool
  private var versions: Versions?
  private var state: HeldState?

  /// How often it is tried to hold a state before somebody commits another.
  private static let attempts = 16

  init(_ schema: Schema, holdsStates: Bool) {
    self.schema = schema
    self.holdsStates = holdsStates
  }

  /// The path of the write-ahead log, where states are held.
  var log: String? { state?.log }

  /// Nobody knows a state any more.
  func forget() {
    versions = nil
    state = nil
  }

  /// Runs a closure that only reads in one transaction of the newest state,
  /// with what has been committed elsewhere since the last one: nothing, the
  /// first time.
  ///
  /// The connection must not be in a transaction.
  func inNewestState<Value>(
    of database: Database, _ body: (Found) throws -> Value
  ) throws -> Value {
    if versions == nil, holdsStates, state == nil {
      // Without it, less is known of what is committed elsewhere.
      state = (try? HeldState(of: database, schema)) ?? nil
    }
    var expected = versions
    var attempt = 0
    while true {
      attempt += 1
      // If the connection has the same version before and after, what is held
      // in between is the state that it reads.
      state?.takeNewest(of: database)
      var isElsewhere = false
      let value: Value? = try isolated(database) {
        let found = try versions(of: database)
        if found != expected, state?.hasNewest == true, attempt < Self.attempts {
          expected = found
          return nil
        }
        isElsewhere = found.data != versions?.data
        return try body(advance(to: found, isCertain: found == expected))
      }
      guard let value else { continue }
      state?.shortenLog(of: database, wasWrittenElsewhere: isElsewhere) {
        (try? self.versions(of: database)) == versions
      }
      return value
    }
  }

  /// What lies between the known state and the newest, which becomes the known
  /// one.
  ///
  /// - Parameter isCertain: Whether the newest state that is held is the one
  ///   that the connection reads.
  private func advance(to found: Versions, isCertain: Bool) -> Found {
    defer {
      versions = found
      if isCertain, state?.hasNewest == true { state?.learn() } else { state?.forget() }
    }
    guard let versions, versions != found else { return .nothing }
    guard versions.schema == found.schema, isCertain, let state, state.isHeld, state.hasNewest,
      let differences = try? state.differences()
    else { return .anything }
    return .rows(differences)
  }

  /// Runs a closure that only reads in one transaction.
  // By SQLite's own calls: GRDB would tell observers of the end of the
  // transaction, or be kept from it by a pragma that makes SQLite prepare all
  // statements of the connection anew.
  private func isolated<Value>(_ database: Database, _ body: () throws -> Value) throws -> Value {
    try PreparedQuery(begin, [], database).run()
    defer {
      if (try? PreparedQuery(commit, [], database).run()) == nil {
        sqlite3_exec(database.sqliteConnection, "ROLLBACK", nil, nil, nil)
      }
    }
    return try body()
  }

  private func versions(of database: Database) throws -> Versions {
    func version(_ statement: KeptStatement) throws -> Int64? {
      try PreparedQuery(statement, [], database).first { sqlite3_column_int64($0, 0) }
    }
    return try Versions(data: version(dataVersion), schema: version(schemaVersion))
  }
}
