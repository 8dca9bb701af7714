import MohoRows

/// The differences between a table and its declaration, and the step that
/// rebuilds the table with its rows.
///
/// The procedure follows <https://sqlite.org/lang_altertable.html#otheralter>:
/// create a new table, copy the rows, drop the old table, rename the new table.
struct TableRebuild {
  private(set) var differences: [SchemaDifference] = []
  private(set) var refusals: [(difference: SchemaDifference, advice: String)] = []
  private(set) var discards: [(part: SchemaPart, count: String)] = []
  private var columns: [String] = []
  private var values: [String] = []

  private let table: StoredTable
  private let definition: TableDefinition

  init(_ table: StoredTable, _ definition: TableDefinition, isOwned: Bool, _ schema: Schema) {
    self.table = table
    self.definition = definition
    for column in definition.columns { compare(column, schema) }
    compareRemoved()
    if isOwned || differences.isEmpty { compareConstraints() }
    if differences.isEmpty {
      differences.append(SchemaDifference(definition.entity, definition.relationship, .constraints))
    }
  }

  /// The step that rebuilds the table.
  var step: MigrationStep {
    let interim = ReservedName.interimTable(definition.name)
    let copy = TableCopy(
      source: table.name, destination: interim, identity: table.identityColumn,
      columns: columns, values: values)
    let part = SchemaPart(entity: definition.entity, key: definition.relationship)
    return MigrationStep(
      definition.relationship == nil ? "rebuild \(part)" : "rebuild the links of \(part)",
      [
        definition.sql(named: interim), copy.sql(), "DROP TABLE \(quotedName(table.name))",
        "ALTER TABLE \(quotedName(interim)) RENAME TO \(quotedName(definition.name))",
      ], copy: copy)
  }

  private mutating func add(
    _ key: String?, _ change: SchemaDifference.Change, refusedUnlessEmpty advice: String? = nil
  ) {
    let difference = SchemaDifference(definition.entity, key ?? definition.relationship, change)
    differences.append(difference)
    if let advice, !table.isEmpty { refusals.append((difference, advice)) }
  }

  private mutating func compare(_ column: ColumnDefinition, _ schema: Schema) {
    let interim = table.column(ReservedName.interimColumn(column.name))
    let found = table.column(column.name)
    if column.isIdentity, found?.isIdentity != true {
      return compareIdentity(column, interim ?? found, schema)
    }
    columns.append(column.name)
    guard let source = interim ?? found else {
      values.append(column.backfill ?? "NULL")
      guard let key = column.key else { return }
      let isFilled = !column.isRequired || column.backfill != nil
      add(
        key, .added,
        refusedUnlessEmpty: isFilled
          ? nil
          : definition.fillingAdvice(key)
      )
      return
    }
    let value = quotedName(source.name)
    let isFilled = column.isRequired && (interim != nil || !source.isRequired)
    values.append(
      isFilled ? column.backfill.map { "coalesce(\(value), \($0))" } ?? value : value)
    guard let found else { return add(column.key, .added) }
    let hasDifferentType = !isEqualIgnoringCase(found.type, column.type)
    if hasDifferentType {
      add(
        column.key, .type(from: found.type, to: column.type),
        refusedUnlessEmpty: interim != nil
          ? nil
          : definition.transformingAdvice(column)
      )
    }
    if !column.isIdentity, found.isRequired != column.isRequired {
      add(column.key, column.isRequired ? .becameRequired : .becameOptional)
    }
    if !column.isIdentity, found.isIdentity { add(column.key, .constraints) }
  }

  /// Compares the identity of a table that was identified by another column.
  /// Rows of other tables still refer to the old identity.
  private mutating func compareIdentity(
    _ column: ColumnDefinition, _ source: StoredColumn?, _ schema: Schema
  ) {
    columns.append(column.name)
    guard column.key != nil else {
      // The identity column of the store replaces the old one.
      values.append(quotedName(table.identityColumn))
      return
    }
    values.append(source.map { quotedName($0.name) } ?? "NULL")
    let isLinked = schema.tableDefinitions.contains { definition in
      definition.columns.contains { $0.reference?.table == self.definition.entity }
    }
    add(
      column.key, source == nil ? .added : .constraints,
      refusedUnlessEmpty: isLinked || source == nil
        ? definition.recreatingAdvice : nil)
    if let source, !isEqualIgnoringCase(source.type, column.type),
      !ReservedName.isInterimColumn(source.name)
    {
      add(
        column.key, .type(from: source.type, to: column.type),
        refusedUnlessEmpty:
          definition.transformingAdvice(column))
    }
  }

  private mutating func compareRemoved() {
    for column in table.columns {
      let isDeclared = definition.columns.contains { isEqualIgnoringCase($0.name, column.name) }
      if isDeclared || folded(column.name).starts(with: folded("_moho")) { continue }
      // The column stores the positions for an inverse relationship that is no
      // longer ordered.
      if definition.relationship != nil { continue }
      add(column.name, .removed)
      // Values that a declared step has transformed are in another column.
      discards.append(
        (
          .key(column.name, of: definition.entity),
          "SELECT count(\(quotedName(column.name))) FROM \(quotedName(table.storedName))"
        ))
    }
  }

  private mutating func compareConstraints() {
    for column in definition.columns {
      guard let found = table.column(column.name) else { continue }
      if found.defaultValue != column.defaultValue {
        add(column.key, .defaultValue(from: found.defaultValue, to: column.defaultValue))
      }
      let reference = table.references.first { isEqualIgnoringCase($0.column, column.name) }
      if reference.map({ [folded($0.table), folded($0.action)] })
        != column.reference.map({ [folded($0.table), folded($0.action)] })
      {
        add(column.key, .deleteRule)
      }
      let hasCheck = table.sql.contains("CONSTRAINT \(quotedName(column.name)) CHECK (")
      if column.checkConstraint.map({ !table.sql.contains($0) }) ?? hasCheck {
        add(column.key, .constraints)
      }
    }
    guard definition.relationship == nil else { return }
    for keys in definition.uniqueKeys where !table.uniqueKeys.contains(keys) {
      add(nil, .becameUnique(keys))
    }
    for keys in table.uniqueKeys where !definition.uniqueKeys.contains(keys) {
      add(nil, .becameNotUnique(keys))
    }
  }
}
