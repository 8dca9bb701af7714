import MohoRows

// Constraints and indexes whose columns are dropped are dropped with them.
extension TableComparison {
  mutating func compareConstraints() {
    for keys in definition.uniqueKeys where !hasUniqueKey(keys) {
      if !table.uniqueKeys.contains(where: { $0.columns == keys }) {
        add(nil, .becameUnique(keys))
      }
      if let constraint = definition.uniqueConstraint(keys) {
        changes.additions.append("ALTER TABLE \(name) ADD \(constraint)")
      } else if let index = definition.uniqueIndex(keys) {
        changes.additions.append(index.creation)
      }
    }
    for key in table.uniqueKeys where !isAdopted {
      let isDeclared = definition.uniqueKeys.contains(key.columns)
      guard droppedColumns.isDisjoint(with: key.columns),
        !isDeclared || !isInRequestOrder(key)
      else { continue }
      if definition.relationship == nil, !isDeclared {
        // The index of another program.
        if key.index != nil, key.name != PostgresName.unique(key.columns, of: table.name) {
          continue
        }
        add(nil, .becameNotUnique(key.columns))
      }
      if key.index == nil { dropConstraint(key.name) } else { dropIndex(key.name) }
    }
    for column in definition.columns {
      compareCheck(of: column)
      compareReference(of: column)
    }
    guard !isAdopted else { return }
    for reference in table.references {
      let isDeclared = definition.columns.contains {
        [$0.name] == reference.columns && $0.reference != nil
      }
      guard !isDeclared, droppedColumns.isDisjoint(with: reference.columns) else { continue }
      add(reference.columns.first, .deleteRule)
      dropConstraint(reference.name)
    }
  }

  private func hasUniqueKey(_ keys: [String]) -> Bool {
    table.uniqueKeys.contains { key in
      key.columns == keys && droppedColumns.isDisjoint(with: key.columns)
        && (isAdopted || isInRequestOrder(key))
    } || isAdopted && table.primaryKey?.columns == keys
  }

  /// Whether the index of a unique key has null at the declared position. It
  /// depends on which columns are optional.
  private func isInRequestOrder(_ key: StoredKey) -> Bool {
    key.index?.columns == definition.uniqueIndex(key.columns)?.columns
  }

  private mutating func dropIndex(_ index: String) {
    changes.drops.append("DROP INDEX \(qualifiedName(index, in: stored.namespace))")
  }

  private mutating func compareCheck(of column: ColumnDefinition) {
    let found = table.checks.first { $0.name == PostgresName.check(column.name) }
    let key = StoredExpression.Key(kind: .check, table: table.name, column: column.name)
    let hasOtherType = table.column(column.name).map { $0.type != column.type } ?? false
    if stored.isEqual(key, column.check, found?.definition), !hasOtherType { return }
    if column.check == nil, isAdopted || found == nil { return }
    if isAdopted, hasCheck(key, column) { return }
    if table.column(column.name) != nil, !hasOtherType { add(column.key, .constraints) }
    if let found { dropConstraint(found.name) }
    if let check = column.checkConstraint {
      changes.additions.append("ALTER TABLE \(name) ADD \(check)")
    }
  }

  /// Whether an adopted table has the check by another name.
  private func hasCheck(_ key: StoredExpression.Key, _ column: ColumnDefinition) -> Bool {
    table.checks.contains { stored.isEqual(key, column.check, $0.definition) }
  }

  private mutating func compareReference(of column: ColumnDefinition) {
    let found = table.references.first { $0.columns == [column.name] }
    guard let reference = column.reference else { return }
    if let found, found.table == reference.table, found.action == reference.action,
      found.isComplete
    {
      return
    }
    if table.column(column.name) != nil { add(column.key, .deleteRule) }
    if let found { dropConstraint(found.name) }
    changes.additions.append(schema.addition(of: reference, to: definition.name))
  }

  private mutating func dropConstraint(_ constraint: String) {
    changes.drops.append("ALTER TABLE \(name) DROP CONSTRAINT \(quotedName(constraint))")
  }

  mutating func compareIndexes() {
    let expected = schema.indexes(of: definition)
    for index in table.indexes where index.isGenerated(for: table.name) {
      let isDropped = !droppedColumns.isDisjoint(with: index.columns.map(\.name))
      if expected.contains(where: { index.matches($0) }) && !isDropped { continue }
      // An index whose optional columns have changed is created again.
      if !expected.contains(where: { $0.name == index.name }) {
        add(nil, .removedIndex(index.name))
      }
      if !isDropped { dropIndex(index.name) }
    }
    for index in expected {
      let isFound = table.indexes.contains { found in
        droppedColumns.isDisjoint(with: found.columns.map(\.name))
          && (found.matches(index) || isAdopted && found.isPlain && found.startsLike(index))
      }
      if isFound { continue }
      if !table.indexes.contains(where: { $0.name == index.name }) {
        add(nil, .addedIndex(index.name))
      }
      changes.additions.append(index.creation)
    }
  }

  mutating func compareTriggers() {
    let expected = schema.compiled.deleteTriggers(in: stored.namespace)
      .filter { $0.table == definition.name }
    for trigger in table.deleteTriggers {
      let declared = expected.first { $0.name == trigger.name }
      if let declared, trigger.matches(declared) { continue }
      if declared.map({ trigger.hasRule(of: $0) }) != true {
        add(
          declared?.relationship ?? PostgresName.relationship(ofDeleteTrigger: trigger.name),
          .deleteRule)
      }
      changes.drops += trigger.removal(from: table.name, in: stored.namespace)
    }
    for trigger in expected where !table.deleteTriggers.contains(where: { $0.matches(trigger) }) {
      let former = table.deleteTriggers + table.renamedTriggers
      let hasFormer = former.contains { $0.name == trigger.name && $0.hasRule(of: trigger) }
      if hasFormer { hasFormerTriggers = true }
      if !hasFormer, !definition.isNewRelationship(trigger.relationship, in: table) {
        add(trigger.relationship, .deleteRule)
      }
      changes.additions += trigger.statements(in: stored.namespace)
    }
  }
}

extension TableDefinition {
  /// Whether the column of a relationship is added to a table.
  fileprivate func isNewRelationship(_ name: String, in table: StoredTable) -> Bool {
    columns.contains { $0.name == name } && table.column(name) == nil
  }
}

extension StoredIndex {
  /// Whether a store has created the index.
  func isGenerated(for table: String) -> Bool { name.hasPrefix("\(table)(") }

  fileprivate func matches(_ definition: IndexDefinition) -> Bool {
    name == definition.name && columns == definition.columns && isPlain
  }

  /// Whether the index finds the same rows, perhaps in another order.
  fileprivate func startsLike(_ definition: IndexDefinition) -> Bool {
    let declared = definition.columns.dropLast(definition.hasIdentity ? 1 : 0)
    return columns.map(\.name).starts(with: declared.map(\.name))
  }
}

extension StoredTrigger {
  fileprivate func matches(_ trigger: DeleteTrigger) -> Bool {
    name == trigger.name && function == trigger.function && body == trigger.body
      && isBefore == trigger.denies && isEnabled
  }

  /// Whether the trigger has the declared rule. Its function can contain former
  /// names.
  fileprivate func hasRule(of trigger: DeleteTrigger) -> Bool {
    isBefore == trigger.denies && isEnabled
  }

  /// The statements that drop the trigger and its function.
  func removal(from table: String, in namespace: String) -> [String] {
    [
      "DROP TRIGGER \(quotedName(name)) ON \(quotedName(table))",
      "DROP FUNCTION IF EXISTS \(qualifiedName(function, in: namespace))()",
    ]
  }
}
