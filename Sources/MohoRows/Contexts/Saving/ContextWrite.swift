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
}

/// The SQL of an engine that ``ContextWriteSQL`` uses.
package struct ContextWriteDialect: Sendable {
  /// Returns the parameter with a position that starts at 1.
  let parameter: @Sendable (Int) -> String
  /// Returns a condition that a column and a parameter are equal or both null.
  let equality: @Sendable (_ column: String, AttributeType, _ parameter: String) -> String
  /// The words before and after the values of a link that may exist.
  let insertOrIgnore: (head: String, tail: String)

  package init(
    parameter: @escaping @Sendable (Int) -> String,
    equality: @escaping @Sendable (String, AttributeType, String) -> String,
    insertOrIgnore: (head: String, tail: String)
  ) {
    self.parameter = parameter
    self.equality = equality
    self.insertOrIgnore = insertOrIgnore
  }
}

/// Returns the statements of ``ContextWrite``. Each entity and set of columns has
/// one text.
package final class ContextWriteSQL {
  /// A statement, and the types of its parameters.
  package struct Statement {
    package let sql: String
    package let types: [AttributeType]
  }

  private let schema: CompiledSchema
  private let dialect: ContextWriteDialect
  private var statements: [String: Statement] = [:]

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
    switch write {
    case .update(let row, _):
      let columns = row.columns.map { "\($0)" }.joined(separator: " ")
      return statement("update \(row.entity) \(columns)") { update(row) }
    case .delete(let row):
      return statement("delete \(row.entity)") {
        let entity = schema.entities[row.entity]
        let condition = "\(quotedName(entity.identityColumn)) = \(dialect.parameter(1))"
        return Statement(
          sql: "DELETE FROM \(quotedName(entity.name)) WHERE \(condition)", types: [.int64])
      }
    case .insert(let row): return statement("insert \(row.entity)") { insert(row) }
    case .link(let link):
      return statement("link \(link.table.name)") { self.link(link) }
    case .unlink(let link):
      return statement("unlink \(link.table.name)") { unlink(link) }
    case .sever(let link):
      return statement("sever \(link.relationship.entity) \(link.relationship.name)") {
        sever(link.relationship)
      }
    case .position(let update):
      switch update.column {
      case .entity(let index, let column):
        return statement("position \(index) \(column)") {
          let entity = schema.entities[index].entity
          return position(column, of: entity.name, [quotedName(entity.identityColumn)])
        }
      case .table(let table, let end, _):
        let column = table.positionColumn(for: end) ?? ""
        return statement("position \(table.name) \(column)") {
          position(column, of: table.name, [LinkTable.column(end), LinkTable.column(end.other)])
        }
      }
    }
  }

  private func statement(_ name: String, _ make: () -> Statement) -> Statement {
    if let statement = statements[name] { return statement }
    let statement = make()
    statements[name] = statement
    return statement
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
        quotedName(names[column]), types[column], dialect.parameter(identity + 1 + column))
    }
    let isRow = "\(quotedName(entity.identityColumn)) = \(dialect.parameter(identity))"
    return Statement(
      sql: """
        UPDATE \(quotedName(entity.name)) SET \(assignments.joined(separator: ", ")) \
        WHERE \(([isRow] + conditions).joined(separator: " AND "))
        """,
      types: row.columns.map { types[$0] } + [.int64] + types)
  }

  private func insert(_ row: ContextPlan.Row) -> Statement {
    let entity = schema.entities[row.entity]
    let hasIdentity = entity.identityAttribute != nil
    let names = (hasIdentity ? [] : [entity.identityColumn]) + entity.columnNames
    return Statement(
      sql: """
        INSERT INTO \(quotedName(entity.name)) (\(names.map(quotedName).joined(separator: ", "))) \
        VALUES (\(names.indices.map { dialect.parameter($0 + 1) }.joined(separator: ", ")))
        """,
      types: (hasIdentity ? [] : [.int64]) + entity.columnTypes)
  }

  private func link(_ link: ContextPlan.TableLink) -> Statement {
    Statement(
      sql: """
        \(dialect.insertOrIgnore.head) INTO \(quotedName(link.table.name)) \
        (\(LinkTable.column(.source)), \(LinkTable.column(.target))) \
        VALUES (\(dialect.parameter(1)), \(dialect.parameter(2)))\(dialect.insertOrIgnore.tail)
        """, types: [.int64, .int64])
  }

  private func unlink(_ link: ContextPlan.TableLink) -> Statement {
    Statement(
      sql: """
        DELETE FROM \(quotedName(link.table.name)) \
        WHERE \(LinkTable.column(.source)) = \(dialect.parameter(1)) \
        AND \(LinkTable.column(.target)) = \(dialect.parameter(2))
        """, types: [.int64, .int64])
  }

  private func sever(_ relationship: CompiledRelationship) -> Statement {
    let ends = relationship.linkEnds(in: schema)
    let table = quotedName(ends.table)
    let start =
      ends.column.map { "UPDATE \(table) SET \(quotedName($0)) = NULL" } ?? "DELETE FROM \(table)"
    return Statement(
      sql: """
        \(start) WHERE \(quotedName(ends.row)) = \(dialect.parameter(1)) \
        AND \(quotedName(ends.related)) = \(dialect.parameter(2))
        """, types: [.int64, .int64])
  }

  private func position(_ column: String, of table: String, _ keys: [String]) -> Statement {
    let conditions = keys.enumerated().map { "\($1) = \(dialect.parameter($0 + 2))" }
    return Statement(
      sql: """
        UPDATE \(quotedName(table)) SET \(quotedName(column)) = \(dialect.parameter(1)) \
        WHERE \(conditions.joined(separator: " AND "))
        """, types: [.int64] + keys.map { _ in .int64 })
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
