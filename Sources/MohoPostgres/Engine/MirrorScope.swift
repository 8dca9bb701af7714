import MohoMapping
import MohoRows

/// The rows of a mirrored request for which no model has been saved.
final class MirrorScope: MirroredRows {
  private let node: ModelNode
  private let session: PostgresSession
  private let limit: MirrorLimit
  private let count: Int
  private var remaining: Set<Int64>

  /// Returns nil if the mode deletes no rows.
  init?<Model>(_ mode: SaveMode<Model>, _ session: PostgresSession) throws {
    guard case .mirror(let request, _) = mode,
      let limit = try MirrorLimit(mode, session.schema.compiled)
    else { return nil }
    node = limit.node
    self.session = session
    self.limit = limit
    remaining = Set(try session.identities(of: request.rows))
    count = remaining.count
  }

  func retain(_ rows: [GraphRow]) throws {
    for row in rows { if let id = row.rowID { remaining.remove(id) } }
  }

  /// Excludes rows from deletion.
  func retain(_ identities: [Int64]) { for id in identities { remaining.remove(id) } }

  /// Deletes the remaining rows.
  ///
  /// - Returns: The number of deleted rows.
  /// - Throws: A `StoreError` if there are too many remaining rows.
  func deleteRemaining() throws -> Int {
    try limit.check(deleting: remaining.count, of: count)
    if remaining.isEmpty { return 0 }
    guard !session.schema.compiled.needsDeleter(node.entity) else {
      try session.delete(remaining.sorted(), of: node.entity)
      return remaining.count
    }
    var arguments = PostgresArguments()
    arguments.append(remaining)
    return try session.connection.query(
      "DELETE FROM \(quotedName(node.name)) WHERE \(node.identity) = ANY ($1::int8[])", arguments
    ).affectedRows
  }
}
