import MohoRows

// The system catalog contains default values and checks in another form than
// the statements that declare them. A store records both forms.
extension StoredSchema {
  /// Reads the form of the system catalog for all declared expressions that have
  /// not been recorded, by creating temporary tables.
  mutating func readExpressions(of schema: Schema, _ connection: PostgresConnection) throws {
    for definition in schema.postgresTables {
      guard let table = table(definition.name) else { continue }
      let columns = definition.columns.filter { column in
        table.column(column.name)?.type == column.type && isUnknown(column, of: table)
      }
      if columns.isEmpty { continue }
      let name = "_moho expected"
      // Checks refer only to their own column.
      let elements = columns.map(\.sql) + columns.compactMap(\.checkConstraint)
      try connection.execute(
        "CREATE TEMPORARY TABLE \(quotedName(name)) (\(elements.joined(separator: ", ")))")
      var arguments = PostgresArguments()
      try arguments.append(name)
      let results = try connection.queries([
        PostgresQuery(
          """
          SELECT 'default', a.attname::text, pg_get_expr(d.adbin, d.adrelid)
          FROM pg_catalog.pg_attribute a
          JOIN pg_catalog.pg_class c ON c.oid = a.attrelid
          JOIN pg_catalog.pg_attrdef d ON d.adrelid = c.oid AND d.adnum = a.attnum
          WHERE c.relnamespace = pg_my_temp_schema() AND c.relname = $1
          UNION ALL
          SELECT 'check', o.conname::text, pg_get_constraintdef(o.oid)
          FROM pg_catalog.pg_constraint o JOIN pg_catalog.pg_class c ON c.oid = o.conrelid
          WHERE c.relnamespace = pg_my_temp_schema() AND c.relname = $1 AND o.contype = 'c'
          """, arguments)
      ])
      for row in results.flatMap(\.rows) {
        guard let kind = StoredExpression.Kind(rawValue: row.string(0)),
          let column = columns.first(where: { $0.name == row.string(1) }),
          let declared = kind == .default ? column.defaultValue : column.check
        else { continue }
        let key = StoredExpression.Key(kind: kind, table: definition.name, column: column.name)
        expressions[key] = StoredExpression(declared: declared, stored: row.string(2))
      }
      try connection.execute("DROP TABLE pg_temp.\(quotedName(name))")
    }
  }

  /// Whether a column has an expression whose two forms do not match the
  /// recorded ones.
  private func isUnknown(_ column: ColumnDefinition, of table: StoredTable) -> Bool {
    [StoredExpression.Kind.check, .default].contains { kind in
      let key = StoredExpression.Key(kind: kind, table: table.name, column: column.name)
      let declared = kind == .default ? column.defaultValue : column.check
      let found =
        kind == .default ? table.column(column.name)?.defaultValue : table.check(column.name)
      return declared != nil && !isEqual(key, declared, found)
    }
  }

  /// Returns the queries that record both forms of the declared expressions.
  func recording(_ schema: Schema) throws -> [PostgresQuery] {
    var columns: [[String]] = [[], [], [], [], []]
    let definitions = schema.postgresTables
    for definition in definitions {
      for column in definition.columns {
        let expressions = [
          (StoredExpression.Kind.check, column.check), (.default, column.defaultValue),
        ]
        for case (let kind, let declared?) in expressions {
          let key = StoredExpression.Key(
            kind: kind, table: definition.name, column: column.name)
          // The checks of adopted tables can have other names.
          let known = kind == .check ? self.expressions[key]?.stored : nil
          let texts = [kind.rawValue, definition.name, column.name, declared, known ?? ""]
          for (index, text) in texts.enumerated() { columns[index].append(text) }
        }
      }
    }
    var tables = PostgresArguments()
    try tables.append(definitions.map(\.name))
    var arguments = PostgresArguments()
    for texts in columns { try arguments.append(texts) }
    return
      (hasMetadata ? [PostgresQuery(Metadata.expressionRemoval, tables, isPrepared: false)] : [])
      + (columns[0].isEmpty
        ? [] : [PostgresQuery(Metadata.expressionAddition, arguments, isPrepared: false)])
  }
}

extension StoredTable {
  /// The check of a column in the form of the system catalog.
  fileprivate func check(_ column: String) -> String? {
    checks.first { $0.name == PostgresName.check(column) }?.definition
  }
}
