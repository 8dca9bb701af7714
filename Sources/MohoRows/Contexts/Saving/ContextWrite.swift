package import MohoMapping

/// A statement that saves a part of a context's plan.
package enum ContextWrite: Sendable {
  /// Removes a link from a link table.
  case unlink(ContextPlan.TableLink)
  /// Removes a link between two rows that are deleted.
  case sever(ContextPlan.SeveredLink)
  /// Writes the changed columns of a row if the stored row has these values.
  case update(ContextPlan.Row, onlyIf: [CellValue])
  case delete(ContextPlan.Row)
  case insert(ContextPlan.Row)
  /// Inserts a link into a link table, unless it exists.
  case link(ContextPlan.TableLink)
  case position(ContextPlan.PositionUpdate)

  /// The row that error messages name.
  package var row: RowIdentity {
    switch self {
    case .update(let row, _), .delete(let row), .insert(let row): row.identity
    case .link(let link), .unlink(let link): link.source
    case .sever(let link): link.row
    case .position(let update): update.row
    }
  }

  package var isUpdate: Bool { if case .update = self { true } else { false } }

  /// The statements of one kind have the same text.
  package enum Kind: Hashable, Sendable {
    case unlink(table: String)
    case sever(entity: Int, relationship: String)
    case update(entity: Int, columns: [Int])
    case delete(entity: Int)
    case insert(entity: Int)
    case link(table: String)
    case position(table: String, column: String)
  }

  package func kind(in schema: CompiledSchema) -> Kind {
    switch self {
    case .unlink(let link): return .unlink(table: link.table.name)
    case .sever(let link):
      return .sever(entity: link.relationship.entity, relationship: link.relationship.name)
    case .update(let row, _): return .update(entity: row.entity, columns: row.columns)
    case .delete(let row): return .delete(entity: row.entity)
    case .insert(let row): return .insert(entity: row.entity)
    case .link(let link): return .link(table: link.table.name)
    case .position(let update):
      switch update.column {
      case .entity(let index, let column):
        return .position(table: schema.entities[index].name, column: column)
      case .table(let table, let end, _):
        return .position(table: table.name, column: table.positionColumn(for: end) ?? "")
      }
    }
  }
}

/// The SQL of an engine that ``ContextWriteSQL`` uses.
package struct ContextWriteDialect: Sendable {
  /// Returns the parameter with a position that starts at 1, or the column of ``source``.
  let parameter: @Sendable (Int) -> String
  /// Returns a condition that a column and a parameter are equal or both null.
  let equality: @Sendable (_ column: String, AttributeType, _ parameter: String) -> String
  /// The words before and after the values of a link that may exist.
  let insertOrIgnore: (head: String, tail: String)
  /// Returns a row source with the parameters of several writes, or nil if a statement has the
  /// parameters of one write.
  let source: (@Sendable ([AttributeType]) -> String)?

  package init(
    parameter: @escaping @Sendable (Int) -> String,
    equality: @escaping @Sendable (String, AttributeType, String) -> String,
    insertOrIgnore: (head: String, tail: String),
    source: (@Sendable ([AttributeType]) -> String)? = nil
  ) {
    self.parameter = parameter
    self.equality = equality
    self.insertOrIgnore = insertOrIgnore
    self.source = source
  }

  /// The alias of the written table, which distinguishes its columns from those of the source.
  fileprivate var alias: (table: String, column: String) {
    source == nil ? ("", "") : (" AS s", "s.")
  }

  /// Returns the row source after a word, or an empty text.
  fileprivate func source(after word: String, _ types: [AttributeType]) -> String {
    source.map { " \(word) \($0(types))" } ?? ""
  }

  /// Returns the parameters of inserted rows.
  fileprivate func values(_ types: [AttributeType]) -> String {
    let parameters = types.indices.map { parameter($0 + 1) }.joined(separator: ", ")
    return source.map { "SELECT \(parameters) FROM \($0(types))" } ?? "VALUES (\(parameters))"
  }
}

/// Returns the statements of ``ContextWrite``. Each kind has one text.
package final class ContextWriteSQL {
  /// A statement, and the types of its parameters.
  package struct Statement {
    package let sql: String
    package let types: [AttributeType]
  }

  private let schema: CompiledSchema
  private let dialect: ContextWriteDialect
  private var statements: [ContextWrite.Kind: Statement] = [:]

  package init(_ schema: CompiledSchema, _ dialect: ContextWriteDialect) {
    self.schema = schema
    self.dialect = dialect
  }

  /// Returns the values of the statement's parameters.
  package func arguments(of write: ContextWrite) -> [FieldContent] {
    switch write {
    case .update(let row, let old):
      return row.columns.map { row.new[$0].content } + [row.identity.content] + old.map(\.content)
    case .delete(let row): return [row.identity.content]
    case .insert(let row):
      let hasIdentity = schema.entities[row.entity].identityAttribute != nil
      return (hasIdentity ? [] : [row.identity.content]) + row.new.map(\.content)
    case .link(let link), .unlink(let link): return [link.source.content, link.target.content]
    case .sever(let link): return [link.row.content, link.related.content]
    case .position(let update):
      guard case .table(_, _, let owner) = update.column else {
        return [.int64(update.position), update.row.content]
      }
      return [.int64(update.position), owner.content, update.row.content]
    }
  }

  package func statement(of write: ContextWrite) -> Statement {
    let kind = write.kind(in: schema)
    if let statement = statements[kind] { return statement }
    let statement = makeStatement(of: write)
    statements[kind] = statement
    return statement
  }

  private func makeStatement(of write: ContextWrite) -> Statement {
    switch write {
    case .update(let row, _): return update(row)
    case .delete(let row):
      let entity = schema.entities[row.entity]
      return delete(from: entity.name, where: [entity.identityColumn])
    case .insert(let row): return insert(row)
    case .link(let link): return self.link(link)
    case .unlink(let link):
      return delete(
        from: link.table.name, where: [LinkTable.column(.source), LinkTable.column(.target)])
    case .sever(let link):
      let ends = link.relationship.linkEnds(in: schema)
      guard let column = ends.column else {
        return delete(from: ends.table, where: [ends.row, ends.related])
      }
      return update(
        ends.table, set: "\(quotedName(column)) = NULL", where: [ends.row, ends.related],
        types: [])
    case .position(let update):
      switch update.column {
      case .entity(let index, let column):
        let entity = schema.entities[index].entity
        return position(column, of: entity.name, [entity.identityColumn])
      case .table(let table, let end, _):
        return position(
          table.positionColumn(for: end) ?? "", of: table.name,
          [LinkTable.column(end), LinkTable.column(end.other)])
      }
    }
  }

  private func update(_ row: ContextPlan.Row) -> Statement {
    let entity = schema.entities[row.entity]
    let (names, types) = (entity.columnNames, entity.columnTypes)
    let assignments = row.columns.enumerated().map { position, column in
      "\(quotedName(names[column])) = \(dialect.parameter(position + 1))"
    }
    let identity = row.columns.count + 1
    let conditions = names.indices.map { column in
      dialect.equality(
        dialect.alias.column + quotedName(names[column]), types[column],
        dialect.parameter(identity + 1 + column))
    }
    return update(
      entity.name, set: assignments.joined(separator: ", "), where: [entity.identityColumn],
      conditions, types: row.columns.map { types[$0] }, conditionTypes: types)
  }

  /// Returns an update of the row whose integer columns have the parameters after those of the
  /// assignments.
  ///
  /// - Parameters:
  ///   - conditions: More conditions, whose parameters follow.
  ///   - types: The types of the assigned parameters.
  private func update(
    _ table: String, set assignments: String, where columns: [String],
    _ conditions: [String] = [], types: [AttributeType], conditionTypes: [AttributeType] = []
  ) -> Statement {
    let types = types + columns.map { _ in .int64 } + conditionTypes
    let first = types.count - columns.count - conditionTypes.count + 1
    return Statement(
      sql: """
        UPDATE \(quotedName(table))\(dialect.alias.table) SET \(assignments)\
        \(dialect.source(after: "FROM", types)) \
        WHERE \((equalities(columns, first: first) + conditions).joined(separator: " AND "))
        """, types: types)
  }

  private func delete(from table: String, where columns: [String]) -> Statement {
    let types = columns.map { _ in AttributeType.int64 }
    return Statement(
      sql: """
        DELETE FROM \(quotedName(table))\(dialect.alias.table)\
        \(dialect.source(after: "USING", types)) \
        WHERE \(equalities(columns, first: 1).joined(separator: " AND "))
        """, types: types)
  }

  /// Returns the conditions that columns, which are not null, are equal to parameters.
  private func equalities(_ columns: [String], first: Int) -> [String] {
    columns.enumerated().map { index, column in
      "\(dialect.alias.column)\(quotedName(column)) = \(dialect.parameter(first + index))"
    }
  }

  private func insert(_ row: ContextPlan.Row) -> Statement {
    let entity = schema.entities[row.entity]
    let hasIdentity = entity.identityAttribute != nil
    let names = (hasIdentity ? [] : [entity.identityColumn]) + entity.columnNames
    let types = (hasIdentity ? [] : [.int64]) + entity.columnTypes
    return Statement(
      sql: """
        INSERT INTO \(quotedName(entity.name)) (\(names.map(quotedName).joined(separator: ", "))) \
        \(dialect.values(types))
        """, types: types)
  }

  private func link(_ link: ContextPlan.TableLink) -> Statement {
    Statement(
      sql: """
        \(dialect.insertOrIgnore.head) INTO \(quotedName(link.table.name)) \
        (\(LinkTable.column(.source)), \(LinkTable.column(.target))) \
        \(dialect.values([.int64, .int64]))\(dialect.insertOrIgnore.tail)
        """, types: [.int64, .int64])
  }

  private func position(_ column: String, of table: String, _ keys: [String]) -> Statement {
    update(
      table, set: "\(quotedName(column)) = \(dialect.parameter(1))", where: keys,
      types: [.int64])
  }
}

extension RowIdentity {
  /// The identity as stored in the table.
  fileprivate var content: FieldContent { .int64(stored ?? 0) }
}

extension CompiledEntity {
  /// The types of the columns, in the order of ``columnNames``.
  fileprivate var columnTypes: [AttributeType] {
    attributes.map(\.type) + linkColumns.map { _ in .int64 }
  }
}
