import MohoRows

extension StoredSchema {
  /// Renames a part if the old name exists and the new name does not.
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
    if hasHistory {
      sql += PostgresHistorySchema(schemaName: namespace).renaming(part, from: old)
    }
    hasRenamings = true
    record.rename(renaming)
    return MigrationStep(renaming, sql)
  }

  private mutating func rename(table old: String, to new: String) -> [String]? {
    guard let isAdopted = owned[old], table(old) != nil, table(new) == nil,
      otherRelations[new] == nil
    else { return nil }
    let links = tables.compactMap { table in
      table.links.flatMap { $0.entity == old ? (table.name, $0.relationship) : nil }
    }
    owned[old] = nil
    owned[new] = isAdopted
    var sql = renameOne(table: old, to: new)
    sql.append(Metadata.renaming(old, to: new))
    for (name, relationship) in links {
      sql += renameOne(table: name, to: ReservedName.linkTable(of: relationship, in: new))
    }
    return sql
  }

  private mutating func rename(column old: String, to new: String, of entity: String) -> [String]? {
    guard let index = tables.firstIndex(where: { $0.name == entity }), isOwned(entity),
      tables[index].column(old) != nil, tables[index].column(new) == nil
    else { return nil }
    let table = quotedName(entity)
    var sql = dropTriggers(on: index, renaming: (old, new))
    let pairs = [(old, new), (ReservedName.position(of: old), ReservedName.position(of: new))]
    for (old, new) in pairs {
      guard let column = tables[index].columns.firstIndex(where: { $0.name == old }) else {
        continue
      }
      sql.append(
        "ALTER TABLE \(table) RENAME COLUMN \(quotedName(old)) TO \(quotedName(new))")
      tables[index].columns[column].name = new
      renameColumns(old, to: new, in: index)
    }
    moveExpressions(from: (entity, old), to: (entity, new))
    return sql + renameConstraints(of: index, formerly: entity, column: (old, new))
  }

  private mutating func rename(links old: String, to new: String, of entity: String) -> [String]? {
    let (oldName, name) = (
      ReservedName.linkTable(of: old, in: entity), ReservedName.linkTable(of: new, in: entity)
    )
    guard table(oldName)?.links != nil, table(name) == nil else { return nil }
    let index = tables.firstIndex { $0.name == entity }
    return (index.map { dropTriggers(on: $0, renaming: (old, new)) } ?? [])
      + renameOne(table: oldName, to: name)
  }

  /// Renames a table and its constraints and indexes.
  private mutating func renameOne(table old: String, to new: String) -> [String] {
    guard let index = tables.firstIndex(where: { $0.name == old }) else { return [] }
    let sql =
      dropTriggers(on: index)
      + ["ALTER TABLE \(quotedName(old)) RENAME TO \(quotedName(new))"]
    tables[index].name = new
    for other in tables.indices {
      for reference in tables[other].references.indices
      where tables[other].references[reference].table == old {
        tables[other].references[reference].table = new
      }
    }
    dependents = dependents.map { dependent in
      dependent.table == old
        ? StoredDependent(name: dependent.name, table: new, column: dependent.column) : dependent
    }
    for column in tables[index].columns {
      moveExpressions(from: (old, column.name), to: (new, column.name))
    }
    return sql + renameConstraints(of: index, formerly: old, column: nil)
  }

  private mutating func renameColumns(_ old: String, to new: String, in index: Int) {
    func renamed(_ columns: [String]) -> [String] { columns.map { $0 == old ? new : $0 } }
    if let columns = tables[index].primaryKey?.columns {
      tables[index].primaryKey?.columns = renamed(columns)
    }
    for position in tables[index].uniqueKeys.indices {
      let columns = tables[index].uniqueKeys[position].columns
      tables[index].uniqueKeys[position].columns = renamed(columns)
    }
    for position in tables[index].references.indices {
      let columns = tables[index].references[position].columns
      tables[index].references[position].columns = renamed(columns)
    }
    func renamed(_ index: inout StoredIndex) {
      for position in index.columns.indices where index.columns[position].name == old {
        index.columns[position].name = new
      }
    }
    for position in tables[index].indexes.indices { renamed(&tables[index].indexes[position]) }
    for position in tables[index].uniqueKeys.indices {
      if var key = tables[index].uniqueKeys[position].index {
        renamed(&key)
        tables[index].uniqueKeys[position].index = key
      }
    }
    tables[index].searchIndex?.rename(old, to: new)
    dependents = dependents.map { dependent in
      dependent.table == tables[index].name && dependent.column == old
        ? StoredDependent(name: dependent.name, table: dependent.table, column: new) : dependent
    }
  }

  /// The catalog stores the names of columns in expressions by number, so the
  /// text of a renamed column's check contains the new name.
  private mutating func moveExpressions(
    from old: (table: String, column: String), to new: (table: String, column: String)
  ) {
    for kind in [StoredExpression.Kind.check, .default] {
      let key = StoredExpression.Key(kind: kind, table: old.table, column: old.column)
      guard let expression = expressions.removeValue(forKey: key) else { continue }
      let newKey = StoredExpression.Key(kind: kind, table: new.table, column: new.column)
      func renamed(_ text: String) -> String {
        text.replacing(quotedName(old.column), with: quotedName(new.column))
      }
      expressions[newKey] = StoredExpression(
        declared: renamed(expression.declared), stored: expression.stored)
    }
  }

  /// Renames the constraints and indexes whose names contain the name of the
  /// table or a column.
  private mutating func renameConstraints(
    of index: Int, formerly old: String, column: (old: String, new: String)?
  ) -> [String] {
    if isAdopted(tables[index].name) { return [] }
    let (table, name) = (tables[index], tables[index].name)
    var sql: [String] = []
    func rename(_ constraint: String, to new: String) -> String {
      if constraint != new {
        sql.append(
          "ALTER TABLE \(quotedName(name)) RENAME CONSTRAINT \(quotedName(constraint))"
            + " TO \(quotedName(new))")
      }
      return new
    }
    // Renaming the index of a constraint renames the constraint, too.
    func rename(index: String, to new: String) -> String {
      if index != new {
        sql.append("ALTER INDEX \(quotedName(index)) RENAME TO \(quotedName(new))")
      }
      return new
    }
    if let found = table.searchIndex {
      tables[index].searchIndex?.name = rename(
        index: found.name, to: PostgresName.index(ReservedName.searchTable(of: name)))
    }
    if let key = table.primaryKey {
      tables[index].primaryKey?.name = rename(
        index: key.name, to: PostgresName.primaryKey(of: name))
    }
    for (position, key) in table.uniqueKeys.enumerated() {
      let new = rename(index: key.name, to: PostgresName.unique(key.columns, of: name))
      tables[index].uniqueKeys[position].name = new
      tables[index].uniqueKeys[position].index?.name = new
    }
    for (position, reference) in table.references.enumerated() where reference.columns.count == 1 {
      tables[index].references[position].name = rename(
        reference.name, to: PostgresName.foreignKey(reference.columns[0]))
    }
    for (position, check) in table.checks.enumerated() {
      if let column, check.name == PostgresName.check(column.old) {
        tables[index].checks[position].name = rename(
          check.name, to: PostgresName.check(column.new))
      }
    }
    for (position, found) in table.indexes.enumerated() where found.isGenerated(for: old) {
      // The identity is not a part of the name.
      var columns = found.columns.map(\.name)
      if columns.count > 1, table.links == nil, columns.last == table.identityColumn {
        columns.removeLast()
      }
      tables[index].indexes[position].name = rename(
        index: found.name, to: PostgresName.index("\(name)(\(columns.joined(separator: ",")))"))
    }
    return sql
  }

  /// Drops the triggers of a table, whose functions contain the name of the
  /// table. They are created again at the end of the migration.
  private mutating func dropTriggers(
    on index: Int, renaming key: (old: String, new: String)? = nil
  ) -> [String] {
    let triggers = tables[index].deleteTriggers
    tables[index].renamedTriggers = (tables[index].renamedTriggers + triggers).map { trigger in
      var trigger = trigger
      if let key, trigger.name == PostgresName.deleteTrigger(key.old) {
        trigger.name = PostgresName.deleteTrigger(key.new)
      }
      return trigger
    }
    tables[index].deleteTriggers = []
    return triggers.flatMap { $0.removal(from: tables[index].name, in: namespace) }
  }
}
