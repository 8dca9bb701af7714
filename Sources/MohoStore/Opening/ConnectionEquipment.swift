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
  /// The addresses of the connections that are set up.
  private static let connections = Lock<Set<Int>>([])

  /// Sets a connection up, if it is not yet.
  static func install(on database: Database) {
    // GRDB ends the process where a function is added to a closed connection.
    guard let connection = database.sqliteConnection else { return }
    let address = Int(bitPattern: connection)
    guard connections.withLock({ $0.insert(address).inserted }) else { return }
    forget(connection, atItsEnd: address)
    database.addStoreFunctions()
  }

  /// Forgets a connection when it ends, for another may get its address.
  // SQLite tells of its end by letting go of its functions. A weak reference to
  // GRDB's object would tell too, but makes each use of the object slower.
  private static func forget(_ connection: OpaquePointer, atItsEnd address: Int) {
    // SAFETY: The pointer is an address only; nobody reads what is there.
    _ = sqlite3_create_function_v2(
      connection, "moho_connection", 0, SQLITE_UTF8, UnsafeMutableRawPointer(bitPattern: address),
      { context, _, _ in sqlite3_result_null(context) }, nil, nil,
      { address in
        let address = Int(bitPattern: address)
        _ = ConnectionEquipment.connections.withLock { $0.remove(address) }
      })
  }
}
