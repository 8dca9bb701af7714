import GRDB
import Synchronization

/// The functions and collations that statements of a store call, on every
/// connection that a store uses.
///
/// A store that opens a file itself sets its connections up when they are made.
/// Those of a writer that it adopts, some of which are yet to be made, are set
/// up when a session first uses them. Statements that are prepared already stay
/// so: SQLite lets go of them only where a function of the name is replaced.
enum ConnectionEquipment {
  // `@unchecked`: the connection is told apart from others, never used.
  private struct Connection: @unchecked Sendable {
    weak var database: AnyObject?
  }

  /// The connections that are set up. One whose memory another has taken over
  /// is gone from its entry.
  private static let connections = Mutex<[ObjectIdentifier: Connection]>([:])

  /// Sets a connection up, if it is not yet.
  static func install(on database: Database) {
    // GRDB ends the process where a function is added to a closed connection.
    guard database.sqliteConnection != nil else { return }
    let connection = Connection(database: database)
    let id = ObjectIdentifier(database)
    let isNew = connections.withLock { connections in
      if connections[id]?.database != nil { return false }
      connections = connections.filter { $0.value.database != nil }
      connections[id] = connection
      return true
    }
    guard isNew else { return }
    database.addStoreFunctions()
  }
}
