import GRDB
import GRDBSQLite
import MohoMapping
import MohoRows
import Synchronization

/// The SQL functions and collations that a store adds to its connections.
///
/// A store that opens a file adds them to each new connection. An adopted
/// writer may create connections later, so they are added when a session first
/// uses a connection. This does not invalidate prepared statements, because
/// SQLite only does that if a function with the same name is replaced.
enum ConnectionFunctions {
  private struct Connection {
    let updatedRow: UpdatedRow
    let temporaryTables = TemporaryTables()
    let postponedIndexing = PostponedIndexing()
    let runningWrite = RunningWrite()
  }

  /// The connections that already have the functions, by address.
  private static let connections = Lock<[Int: Connection]>([:])

  /// Adds the functions to a connection, unless it already has them.
  static func install(on database: Database) {
    // GRDB ends the process if a function is added to a closed connection.
    guard let connection = database.sqliteConnection else { return }
    let row = UpdatedRow(address: Int(bitPattern: connection))
    let isNew = connections.withLock { connections in
      if connections[row.address] != nil { return false }
      connections[row.address] = Connection(updatedRow: row)
      return true
    }
    guard isNew else { return }
    install(row, on: connection)
    NestedValueFunction.install(on: connection)
    database.addStoreFunctions()
  }

  /// Returns the object that stores which row the connection's statements
  /// updated last.
  static func updatedRow(of database: Database) -> UpdatedRow? {
    known(database)?.updatedRow
  }

  /// Returns what is known about the temporary tables of a connection. Nil if it does not have
  /// the functions.
  static func temporaryTables(of database: Database) -> TemporaryTables? {
    known(database)?.temporaryTables
  }

  /// Returns the full-text indexes of a connection that are updated later. Nil if it does not
  /// have the functions.
  static func postponedIndexing(of database: Database) -> PostponedIndexing? {
    known(database)?.postponedIndexing
  }

  /// Returns the write that may be running on a connection. Nil if it does not have the
  /// functions.
  static func runningWrite(of database: Database) -> RunningWrite? {
    known(database)?.runningWrite
  }

  private static func known(_ database: Database) -> Connection? {
    guard let connection = database.sqliteConnection else { return nil }
    return connections.withLock { $0[Int(bitPattern: connection)] }
  }

  /// Adds the function that records updated rows.
  // SQLite releases a connection's functions when it closes the connection. A
  // weak reference to GRDB's connection would also become nil, but it makes
  // each use of the object slower.
  private static func install(_ row: UpdatedRow, on connection: OpaquePointer) {
    // SAFETY: The connection retains the object until it calls the last
    // closure. After that, it calls no function.
    _ = sqlite3_create_function_v2(
      connection, UpdatedRow.function, 1, SQLITE_UTF8, Unmanaged.passRetained(row).toOpaque(),
      { context, _, values in
        guard let data = sqlite3_user_data(context) else { return }
        let row = Unmanaged<UpdatedRow>.fromOpaque(data).takeUnretainedValue()
        row.rowID = sqlite3_value_int64(values?[0])
        sqlite3_result_int(context, 1)
      }, nil, nil,
      { data in
        guard let data else { return }
        let row = Unmanaged<UpdatedRow>.fromOpaque(data).takeRetainedValue()
        // A new connection may reuse the address.
        _ = ConnectionFunctions.connections.withLock { $0.removeValue(forKey: row.address) }
      })
  }
}

/// The row that an update statement of a connection is about to write.
///
/// SQLite reports which row a statement has inserted, but not which row it has
/// updated. Therefore, an update records its row by calling a function at the
/// end of its condition, so that only written rows incur the cost of the call.
// `@unchecked`: SQLite calls the functions of a connection on the thread that
// uses the connection, and writers read the row on the same thread.
final class UpdatedRow: @unchecked Sendable {
  static let function = "moho_updated"

  fileprivate let address: Int
  fileprivate(set) var rowID: Int64 = 0

  fileprivate init(address: Int) { self.address = address }

  /// Returns a condition that records the row if the condition is true.
  static func noting(_ identity: String, where condition: String) -> String {
    // SQLite may evaluate the operands of `AND` in any order.
    "CASE WHEN \(condition) THEN \(function)(\(identity)) ELSE 0 END"
  }
}
