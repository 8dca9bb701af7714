import MohoMapping
import MohoRows

extension PostgresMigrator {
  /// Finds the unknown members that a migration moves.
  ///
  /// - Parameters:
  ///   - stored: The schema after the renaming steps.
  ///   - kept: The keys whose values declared migrations keep.
  func memberMoves(
    _ stored: StoredSchema, keeping kept: Set<SchemaPart>,
    _ rows: (String) throws -> [[FieldContent]]
  ) throws -> MemberMoves {
    func table(_ entity: String) -> MemberMigration.Table? {
      guard let table = stored.table(entity), stored.isOwned(table.name), !table.isEmpty,
        let identity = table.identityColumn
      else { return nil }
      return MemberMigration.Table(
        name: table.storedName, identity: identity, columns: table.columns.map(\.name))
    }
    return try schema.memberMoves(since: stored.record, policy, keeping: kept, table, rows)
  }

  /// Finds unknown members for a plan.
  ///
  /// - Parameter stored: The schema before the renaming steps.
  func plannedMoves(
    _ stored: StoredSchema, keeping kept: Set<SchemaPart> = [], _ connection: PostgresConnection
  ) throws -> MemberMoves {
    var stored = stored
    for renaming in renamings where schema.canApply(renaming) { _ = stored.rename(renaming) }
    return try memberMoves(stored, keeping: kept) { sql in
      do {
        return try connection.withSavepoint { try connection.contents(sql) }
      } catch let error as StoreError
        where (error.underlying as? PostgresError)?.isMissingTableOrColumn ?? false
      {
        // A step creates or renames a column.
        return []
      }
    }
  }
}

extension PostgresConnection {
  /// Returns the values of the rows of a query, as migration steps exchange them.
  func contents(_ sql: String) throws -> [[FieldContent]] {
    let result = try query(sql)
    let types = (0..<result.columnCount).map { result.type(ofColumn: $0) }
    return try result.rows.map { row in
      try types.indices.map { try row.content($0, as: types[$0]).neutral }
    }
  }
}
