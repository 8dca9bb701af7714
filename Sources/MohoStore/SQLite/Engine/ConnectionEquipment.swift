import GRDB
import GRDBSQLite
import MohoMapping
import Synchronization

/// The functions and collations that statements of a store call, on every
/// connection that a store uses.
///
/// A store that opens a file itself sets its connections up when they are made.
/// Those of a writer that it adopts, some of which are yet to be made, are set
/// up when a session first uses them. Statements that are prepared already stay
/// so: SQLite lets go of them only where a function of the name is replaced.
enum ConnectionEquipment {
  /// The states of the connections that are set up, by their addresses.
  private static let connections = Lock<[Int: UpdatedRow]>([:])

  /// Sets a connection up, if it is not yet.
  static func install(on database: Database) {
    // GRDB ends the process where a function is added to a closed connection.
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

  /// The row that the statements of a connection have updated last.
  static func updatedRow(of database: Database) -> UpdatedRow? {
    guard let connection = database.sqliteConnection else { return nil }
    return connections.withLock { $0[Int(bitPattern: connection)] }
  }

  /// Adds the function that notes updated rows.
  // SQLite releases the functions of a connection when it closes it. A weak
  // reference to GRDB's object would say so too, but makes each use of the object
  // slower.
  private static func install(_ row: UpdatedRow, on connection: OpaquePointer) {
    // SAFETY: The connection retains the object until it calls the last closure,
    // after which it calls no function.
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
        // Another connection may get the address.
        _ = ConnectionEquipment.connections.withLock { $0.removeValue(forKey: row.address) }
      })
  }
}

/// The row that an update of a connection is about to write.
///
/// SQLite says which row a statement has inserted, but not which it has updated.
/// A statement that calls the function last in its condition notes it there, and
/// pays for it only where a row is written.
// `@unchecked`: SQLite calls the functions of a connection on the thread that
// uses the connection, and writers read the row there.
final class UpdatedRow: @unchecked Sendable {
  static let function = "moho_updated"

  fileprivate let address: Int
  fileprivate(set) var rowID: Int64 = 0

  fileprivate init(address: Int) { self.address = address }

  /// A condition that notes the row where it holds.
  static func noting(_ identity: String, where condition: String) -> String {
    // SQLite may evaluate the sides of an `AND` in any order.
    "CASE WHEN \(condition) THEN \(function)(\(identity)) ELSE 0 END"
  }
}
