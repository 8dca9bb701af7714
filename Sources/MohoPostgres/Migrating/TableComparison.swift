import MohoRows

/// The differences between a table and its declaration, and the statements that
/// resolve them.
struct TableComparison {
  private(set) var differences: [SchemaDifference] = []
  private(set) var refusals: [(difference: SchemaDifference, advice: String)] = []
  private(set) var discards: [(part: SchemaPart, count: String)] = []
  var changes = TableChanges()

  let table: StoredTable
  let definition: TableDefinition
  let stored: StoredSchema
  let schema: Schema
  /// Whether the table can have columns, constraints and indexes that are not
  /// declared.
  let isAdopted: Bool
  /// The statements that change the columns.
  private var alterations: [String] = []
  /// Whether triggers are created again with the same rules.
  var hasFormerTriggers = false
  /// The names of dropped columns. Their constraints and indexes are dropped
  /// with them.
  var droppedColumns: Set<String> = []

  init(
    _ table: StoredTable, _ definition: TableDefinition, _ stored: StoredSchema, _ schema: Schema
  ) {
    self.table = table
    self.definition = definition
    self.stored = stored
    self.schema = schema
    isAdopted = stored.isAdopted(table.name)
    let identity = compareIdentity()
    for column in definition.storedColumns where column.name != identity { compare(column) }
    compareRemovedColumns()
    compareConstraints()
    compareIndexes()
    compareSearchIndex()
    compareTriggers()
    let part = SchemaPart(entity: definition.entity, key: definition.relationship)
    if !alterations.isEmpty {
      let summary = definition.relationship == nil ? "change the entity" : "change the links of"
      changes.steps.append(MigrationStep("\(summary) \(part)", alterations))
    }
    if differences.isEmpty, !isEmpty, !(stored.hasRenamings && hasFormerTriggers) {
      differences.append(SchemaDifference(part.entity, part.key, .constraints))
    }
  }

  /// Whether the table matches its declaration.
  var isEmpty: Bool {
    refusals.isEmpty && changes.drops.isEmpty && changes.steps.isEmpty
      && changes.additions.isEmpty && changes.searchDrops.isEmpty
      && changes.searchBuilds.isEmpty && alterations.isEmpty
  }

  var name: String { quotedName(definition.name) }

  mutating func add(
    _ key: String?, _ change: SchemaDifference.Change, refusedUnlessEmpty advice: String? = nil
  ) {
    let difference = SchemaDifference(definition.entity, key ?? definition.relationship, change)
    if !differences.contains(difference) { differences.append(difference) }
    if let advice, !table.isEmpty { refusals.append((difference, advice)) }
  }

  mutating func alter(_ change: String) { alterations.append("ALTER TABLE \(name) \(change)") }

  mutating func execute(_ sql: String) { alterations.append(sql) }

  /// Refuses a change of a column that a view reads.
  private mutating func checkViews(_ column: String, _ change: SchemaDifference.Change) {
    let view = stored.dependents.first {
      $0.table == table.name && ($0.column == column || $0.column == nil)
    }
    guard let view else { return }
    refusals.append(
      (SchemaDifference(definition.entity, column, change), view.advice))
  }

  private mutating func compare(_ column: ColumnDefinition) {
    let quoted = quotedName(column.name)
    guard let found = table.column(column.name) else { return addColumn(column) }
    if found.type != column.type {
      changeType(of: column, from: found)
    } else if found.isComputed {
      add(column.key, .constraints, refusedUnlessEmpty: "the column is computed")
    }
    let isRequired = column.isRequired || column.isIdentity
    if found.isRequired != isRequired {
      add(column.key, isRequired ? .becameRequired : .becameOptional)
      if isRequired, let backfill = column.backfill {
        execute("UPDATE \(name) SET \(quoted) = \(backfill) WHERE \(quoted) IS NULL")
      }
      alter("ALTER COLUMN \(quoted) \(isRequired ? "SET" : "DROP") NOT NULL")
    }
    if column.isGenerated {
      if !found.isIdentity {
        if found.defaultValue == nil {
          add(column.key, .constraints)
          addGenerator(column)
        }
      }
      return
    }
    let key = StoredExpression.Key(kind: .default, table: table.name, column: column.name)
    let hasOtherDefault =
      found.type == column.type
      ? !stored.isEqual(key, column.defaultValue, found.defaultValue)
      : column.defaultValue != nil || found.defaultValue != nil
    if hasOtherDefault, !(isAdopted && column.defaultValue == nil) {
      add(column.key, .defaultValue(from: found.defaultValue, to: column.defaultValue))
      alter(
        "ALTER COLUMN \(quoted) "
          + (column.defaultValue.map { "SET DEFAULT \($0)" } ?? "DROP DEFAULT"))
    }
  }

  private mutating func addColumn(_ column: ColumnDefinition) {
    let quoted = quotedName(column.name)
    if let key = column.key {
      let isFilled = !column.isRequired || column.backfill != nil
      add(
        key, .added,
        refusedUnlessEmpty: isFilled
          ? nil
          : definition.fillingAdvice(key)
      )
    } else {
      add(nil, .constraints)
    }
    guard let backfill = column.backfill, backfill != column.defaultValue else {
      return alter("ADD COLUMN \(column.sql)")
    }
    // Adding a column with a default value does not write the rows.
    alter("ADD COLUMN \(quoted) \(column.type) DEFAULT \(backfill)")
    alter(
      "ALTER COLUMN \(quoted) "
        + (column.defaultValue.map { "SET DEFAULT \($0)" } ?? "DROP DEFAULT"))
    if column.isRequired { alter("ALTER COLUMN \(quoted) SET NOT NULL") }
  }

  private mutating func changeType(of column: ColumnDefinition, from found: StoredColumn) {
    let change = SchemaDifference.Change.type(from: found.type, to: column.type)
    let quoted = quotedName(column.name)
    let cast = PostgresColumns.cast(quoted, from: found.type, to: column.type)
    add(
      column.key, change,
      refusedUnlessEmpty: cast != nil
        ? nil
        : definition.transformingAdvice(column))
    checkViews(column.name, change)
    if found.defaultValue != nil, !found.isIdentity { alter("ALTER COLUMN \(quoted) DROP DEFAULT") }
    alter("ALTER COLUMN \(quoted) TYPE \(column.type) USING \(cast ?? "NULL")")
  }

  /// Compares the column that identifies the rows.
  ///
  /// - Returns: The identity column, if it is not compared like other columns.
  private mutating func compareIdentity() -> String? {
    guard let column = definition.storedColumns.first(where: \.isIdentity),
      table.primaryKey?.columns != [column.name]
    else { return nil }
    let found = table.column(column.name)
    let hasUniqueKey = table.uniqueKeys.contains { $0.columns == [column.name] }
    if isAdopted, hasUniqueKey, found?.isRequired == true { return nil }
    let isLinked = schema.postgresTables.contains { definition in
      definition.columns.contains { $0.reference?.table == self.definition.entity }
    }
    let source = table.identityColumn
    if column.key != nil {
      add(
        column.key, found == nil ? .added : .constraints,
        refusedUnlessEmpty: isLinked || found == nil
          ? definition.recreatingAdvice : nil)
    } else {
      add(nil, .constraints)
    }
    dropKeys(to: table)
    let quoted = quotedName(column.name)
    if let found {
      if found.type != column.type { changeType(of: column, from: found) }
    } else {
      alter("ADD COLUMN \(quoted) \(column.type)")
      // The identity column of the store replaces the old one.
      if column.key == nil, let source, table.column(source)?.type == "int8" {
        execute("UPDATE \(name) SET \(quoted) = \(quotedName(source))")
      } else if column.key == nil {
        execute(
          "UPDATE \(name) SET \(quoted) = r.number FROM (SELECT ctid, row_number() OVER () AS number"
            + " FROM \(name)) r WHERE r.ctid = \(name).ctid")
      }
    }
    alter("ALTER COLUMN \(quoted) SET NOT NULL")
    if column.isGenerated, found?.isIdentity != true { addGenerator(column) }
    if let source, source == ReservedName.identity, column.name != source {
      droppedColumns.insert(source)
      alter("DROP COLUMN \(quotedName(source))")
    }
    changes.additions.insert(
      "ALTER TABLE \(name) ADD CONSTRAINT \(quotedName(PostgresName.primaryKey(of: table.name)))"
        + " PRIMARY KEY (\(quoted))", at: 0)
    return column.name
  }

  /// Drops the primary key of a table, and the foreign keys that refer to it.
  private mutating func dropKeys(to table: StoredTable) {
    guard let key = table.primaryKey else { return }
    for other in stored.tables {
      for reference in other.references where reference.table == table.name {
        // The comparison of the other table does not know this.
        changes.drops.append(
          "ALTER TABLE \(quotedName(other.name)) DROP CONSTRAINT \(quotedName(reference.name))")
        let declared = schema.postgresTables.first { $0.name == other.name }?.columns
          .compactMap(\.reference).first { [$0.column] == reference.columns }
        if let declared { changes.additions.append(schema.addition(of: declared, to: other.name)) }
      }
    }
    changes.drops.append("ALTER TABLE \(name) DROP CONSTRAINT \(quotedName(key.name))")
  }

  /// Generates further identities after the existing ones.
  private mutating func addGenerator(_ column: ColumnDefinition) {
    let quoted = quotedName(column.name)
    alter("ALTER COLUMN \(quoted) ADD GENERATED BY DEFAULT AS IDENTITY")
    let table = quotedText("\(quotedName(stored.namespace)).\(name)")
    execute(
      "SELECT setval(pg_get_serial_sequence(\(table), \(quotedText(column.name))),"
        + " greatest(max(\(quoted)), 0) + 1, false) FROM \(name)")
  }

  private mutating func compareRemovedColumns() {
    for column in table.columns {
      if definition.storedColumns.contains(where: { $0.name == column.name }) { continue }
      if droppedColumns.contains(column.name) { continue }
      if isAdopted {
        let isFilled =
          !column.isRequired || column.defaultValue != nil || column.isIdentity
          || column.isComputed
        if isFilled { continue }
        let difference = SchemaDifference(definition.entity, column.name, .removed)
        differences.append(difference)
        refusals.append(
          (difference, "declare the key, or make the column optional, or give it a default"))
        continue
      }
      droppedColumns.insert(column.name)
      checkViews(column.name, .removed)
      // The column stores positions or values of a store.
      let isReserved = column.name.hasPrefix("_moho") || definition.relationship != nil
      if !isReserved {
        add(column.name, .removed)
        discards.append(
          (
            .key(column.name, of: definition.entity),
            "SELECT count(\(quotedName(column.name))) FROM \(quotedName(table.storedName))"
          ))
      }
      alter("DROP COLUMN \(quotedName(column.name))")
    }
  }
}
