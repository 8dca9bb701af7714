import GRDB
import GRDBSQLite
import MohoMapping
import MohoRows
import Synchronization

/// The SQL functions and collations that a store adds to its connections.
///
/// A store that opens a file adds them to each new connection. In an adopted
/// writer, which may create connections later, they are added when a session
/// first uses a connection. This does not invalidate prepared statements: SQLite
/// does that only if a function of the same name is replaced.
enum ConnectionEquipment {
  /// The connections that have the functions, by their addresses.
  private static let connections = Lock<[Int: UpdatedRow]>([:])

  /// Adds the functions to a connection, unless it has them.
  static func install(on database: Database) {
    // GRDB ends the process if a function is added to a closed connection.
    guard let connection = database.sqliteConnection else { return }
    let row = UpdatedRow(address: Int(bitPattern: connection))
    let isNew = connections.withLock { connections in
      if connections[row.address] != nil { return false }
      connections[row.address] = row
      return true
    }
    guard isNew else { return }
    install(row, on: connection)
    database.addStoreFunctions()
  }

  /// The row that a connection's statements have updated last.
  static func updatedRow(of database: Database) -> UpdatedRow? {
    guard let connection = database.sqliteConnection else { return nil }
    return connections.withLock { $0[Int(bitPattern: connection)] }
  }

  /// Adds the function that records updated rows.
  // SQLite releases a connection's functions when it closes the connection. A
  // weak reference to GRDB's object would become nil too, but weak references
  // make each use of the object slower.
  private static func install(_ row: UpdatedRow, on connection: OpaquePointer) {
    // SAFETY: The connection retains the object until it calls the last closure.
    // It calls no function after that.
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
        _ = ConnectionEquipment.connections.withLock { $0.removeValue(forKey: row.address) }
      })
  }
}

/// The row that an update statement of a connection is about to write.
///
/// SQLite reports which row a statement has inserted, but not which row it has
/// updated. An update records its row by calling the function at the end of its
/// condition, so that only written rows pay for the call.
// `@unchecked`: SQLite calls the functions of a connection on the thread that
// uses the connection, and writers read the row on the same thread.
final class UpdatedRow: @unchecked Sendable {
  static let function = "moho_updated"

  fileprivate let address: Int
  fileprivate(set) var rowID: Int64 = 0

  fileprivate init(address: Int) { self.address = address }

  /// A condition that records the row if it is true.
  static func noting(_ identity: String, where condition: String) -> String {
    // SQLite may evaluate the sides of an `AND` in any order.
    "CASE WHEN \(condition) THEN \(function)(\(identity)) ELSE 0 END"
  }
}
