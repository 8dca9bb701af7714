import GRDB

/// A savepoint in a transaction.
// This type calls SQLite directly, because GRDB would store all changes of the
// savepoint in memory to report them to observers, which is too much for a
// large import.
struct Savepoint {
  private let database: Database
  private let recorder: WriteRecorder?
  private let writtenTables: [Bool]

  fileprivate init(_ database: Database) throws {
    self.database = database
    recorder = WriteRecorder.existing(of: database)
    writtenTables = recorder?.writtenTables ?? []
    try execute("SAVEPOINT _moho_call", on: database)
  }

  /// Undoes all changes since the savepoint, which stays open.
  func undo() throws {
    try execute("ROLLBACK TO _moho_call", on: database)
    recorder?.discardWrites(exceptTo: writtenTables)
  }

  fileprivate func release() throws { try execute("RELEASE _moho_call", on: database) }
}

/// Runs a closure on a connection, and undoes its changes if it throws.
func withSavepoint<Result>(
  _ database: Database, _ body: (Savepoint) throws -> Result
) throws -> Result {
  let savepoint = try Savepoint(database)
  do {
    let result = try body(savepoint)
    try savepoint.release()
    return result
  } catch {
    // This fails if the error has rolled back the whole transaction.
    if (try? savepoint.undo()) != nil { try? savepoint.release() }
    throw error
  }
}

/// Runs a closure on a connection, and undoes its changes.
func undoingChanges<Result>(on database: Database, _ body: () throws -> Result) throws -> Result {
  try withSavepoint(database) { savepoint in
    let result = try body()
    try savepoint.undo()
    return result
  }
}
