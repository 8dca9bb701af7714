import MohoMapping
import MohoRows

extension StoredSchema {
  /// Renames a part if the old name exists and the new name does not.
  ///
  /// The statements of the tables are changed as SQLite changes them.
  ///
  /// - Returns: The step that makes the same change in the database, or nil if
  ///   nothing is renamed.
  mutating func rename(_ renaming: Renaming) -> MigrationStep? {
    let (old, part) = (renaming.oldName, renaming.part)
    let sql: [String]? =
      if let key = part.key {
        rename(column: old, to: key, of: part.entity)
          ?? rename(links: old, to: key, of: part.entity)
      } else {
        rename(table: old, to: part.entity)
      }
    guard var sql, !sql.isEmpty else { return nil }
    record.rename(renaming)
    if history.contains(where: { $0.name == ReservedName.historyState }) {
      sql += HistorySchema.statements(renaming: part, from: old)
    }
    return MigrationStep(renaming, sql)
  }

  private mutating func rename(table old: String, to new: String) -> [String]? {
    guard let table = table(old), owned.contains(where: { isEqualIgnoringCase($0, old) }),
      self.table(new) == nil
    else { return nil }
    var sql = dropGenerated(on: table.name)
    sql.append("ALTER TABLE \(quotedName(table.name)) RENAME TO \(quotedName(new))")
    let names = [new, table.name].map { FieldContent.string($0).literal }
    sql.append(
      "UPDATE \(quotedName(SchemaObject.entityTable.name)) SET name = \(names[0]) WHERE name = \(names[1])"
    )
    let links = tables.filter { $0.links.map { isEqualIgnoringCase($0.entity, old) } ?? false }
    owned.remove(table.name)
    owned.insert(new)
    for index in tables.indices {
      if isEqualIgnoringCase(tables[index].name, old) {
        rename(tableAt: index, to: new)
      }
      for reference in tables[index].references.indices
      where isEqualIgnoringCase(tables[index].references[reference].table, old) {
        let former = tables[index].references[reference].table
        tables[index].references[reference].table = new
        tables[index].sql = tables[index].sql.replacing(
          "REFERENCES \(quotedName(former))", with: "REFERENCES \(quotedName(new))")
      }
    }
    for link in links {
      guard let relationship = link.links?.relationship else { continue }
      sql += renameLinks(link.name, to: ReservedName.linkTable(of: relationship, in: new))
    }
    return sql
  }

  private mutating func rename(column old: String, to new: String, of entity: String) -> [String]? {
    guard let index = tables.firstIndex(where: { isEqualIgnoringCase($0.name, entity) }),
      isOwned(entity), tables[index].column(old) != nil, tables[index].column(new) == nil
    else { return nil }
    let name = tables[index].name
    var sql = dropGenerated(on: name)
    let pairs = [
      (old, new), (ReservedName.position(of: old), ReservedName.position(of: new)),
      (ReservedName.interimColumn(old), ReservedName.interimColumn(new)),
    ]
    for (old, new) in pairs {
      guard
        let column = tables[index].columns.firstIndex(where: { isEqualIgnoringCase($0.name, old) })
      else { continue }
      sql.append(
        "ALTER TABLE \(quotedName(name)) RENAME COLUMN \(quotedName(old)) TO \(quotedName(new))")
      tables[index].columns[column].name = new
      // The names of constraints do not change.
      tables[index].sql = tables[index].sql.replacing(quotedName(old), with: quotedName(new))
        .replacing("CONSTRAINT \(quotedName(new))", with: "CONSTRAINT \(quotedName(old))")
    }
    for reference in tables[index].references.indices
    where isEqualIgnoringCase(tables[index].references[reference].column, old) {
      tables[index].references[reference].column = new
    }
    tables[index].uniqueKeys = tables[index].uniqueKeys.map { keys in
      keys.map { isEqualIgnoringCase($0, old) ? new : $0 }
    }
    tables[index].isRenamed = true
    return sql
  }

  private mutating func rename(links old: String, to new: String, of entity: String) -> [String]? {
    let name = ReservedName.linkTable(of: new, in: entity)
    guard let table = table(ReservedName.linkTable(of: old, in: entity)), table.links != nil,
      self.table(name) == nil
    else { return nil }
    return renameLinks(table.name, to: name)
  }

  private mutating func renameLinks(_ old: String, to new: String) -> [String] {
    let sql =
      dropGenerated(on: old) + ["ALTER TABLE \(quotedName(old)) RENAME TO \(quotedName(new))"]
    for index in tables.indices where tables[index].name == old { rename(tableAt: index, to: new) }
    return sql
  }

  private mutating func rename(tableAt index: Int, to new: String) {
    let create = "CREATE TABLE "
    let old = create + quotedName(tables[index].name)
    if tables[index].sql.hasPrefix(old) {
      tables[index].sql.replaceSubrange(
        ..<tables[index].sql.index(tables[index].sql.startIndex, offsetBy: old.count),
        with: create + quotedName(new))
    }
    tables[index].name = new
    tables[index].isRenamed = true
  }

  /// Removes the indexes and triggers of a table, whose names contain the name
  /// of the table. They are created again at the end of the migration.
  private mutating func dropGenerated(on table: String) -> [String] {
    let dropped = objects.filter { $0.isGenerated && isEqualIgnoringCase($0.table, table) }
    objects.removeAll { dropped.contains($0) }
    return dropped.map { "DROP \($0.kind.rawValue.uppercased()) \(quotedName($0.name))" }
  }
}
