import GRDB

/// Lends a connection to readers and writers for as long as a closure runs.
///
/// GRDB ends the process where a connection is used outside of its queue. A
/// reader or writer that was kept throws instead, because its session is over.
final class StoreSession {
  let schema: Schema
  /// What the commit that subscribers are being told of made of rows, by table.
  var rowDeltas: [String: [Int64: RowDelta]] = [:]
  private var lent: Database?

  private init(_ database: Database, _ schema: Schema) {
    self.schema = schema
    lent = database
  }

  static func run<Result>(
    on database: Database, _ schema: Schema, _ body: (StoreSession) throws -> Result
  ) rethrows -> Result {
    ConnectionEquipment.install(on: database)
    let session = StoreSession(database, schema)
    defer { session.lent = nil }
    return try body(session)
  }

  /// - Throws: ``StoreError`` where the session is over.
  var database: Database {
    get throws {
      guard let lent else {
        throw StoreError(
          .invalidRequest, reason: "a reader or writer is used after its closure has returned",
          suggestion: "use it inside the closure only")
      }
      return lent
    }
  }
}
