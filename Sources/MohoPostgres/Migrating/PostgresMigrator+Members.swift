import MohoMapping
import MohoRows

extension PostgresMigrator {
  /// Finds the unknown members that a migration moves.
  ///
  /// - Parameters:
  ///   - stored: The schema after the renaming steps.
  ///   - kept: The keys whose values declared migrations keep.
  func memberMoves(
    _ stored: StoredSchema, keeping kept: Set<SchemaPart>, isPlan: Bool = false,
    _ connection: PostgresConnection
  ) throws -> MemberMoves {
    func table(_ entity: String) -> MemberMigration.Table? {
      guard let table = stored.table(entity), stored.isOwned(table.name), !table.isEmpty,
        let identity = table.identityColumn.flatMap({ table.column($0)?.storedName })
      else { return nil }
      let columns = table.columns.compactMap { column in
        column.storedName.map { (column.name, $0) }
      }
      return MemberMigration.Table(
        name: table.storedName, identity: identity,
        columns: Dictionary(columns, uniquingKeysWith: { one, _ in one }))
    }
    return try schema.memberMoves(
      since: stored.record, policy, keeping: kept, isPlan: isPlan, table
    ) { try connection.contents($0, $1) }
  }

  /// Finds unknown members for a plan.
  ///
  /// - Parameter stored: The schema before the renaming steps.
  func plannedMoves(
    _ stored: StoredSchema, keeping kept: Set<SchemaPart> = [], _ connection: PostgresConnection
  ) throws -> MemberMoves {
    var stored = stored
    for renaming in renamings where schema.canApply(renaming) { _ = stored.rename(renaming) }
    return try memberMoves(stored, keeping: kept, isPlan: true, connection)
  }
}

extension PostgresConnection {
  /// Returns the values of the rows of a statement, as migration steps exchange them.
  ///
  /// - Parameter arguments: Integers and texts.
  func contents(_ sql: String, _ arguments: [FieldContent] = []) throws -> [[FieldContent]] {
    var values = PostgresArguments()
    for argument in arguments {
      if case .int64(let integer) = argument {
        values.append(integer)
      } else {
        try values.append(argument, as: .text)
      }
    }
    // Not prepared: most of these statements run once.
    let result = try query(sql, values, isPrepared: false)
    let types = (0..<result.columnCount).map { result.type(ofColumn: $0) }
    return try result.rows.map { row in
      try types.indices.map { try row.content($0, as: types[$0]).neutral }
    }
  }
}
