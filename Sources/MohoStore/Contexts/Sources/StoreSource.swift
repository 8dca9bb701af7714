import Foundation
import GRDB
import GRDBSQLite
import MohoMapping

/// Reads the rows of a store.
final class StoreSource: RowSource {
  let store: ModelStore
  let layout: ContextLayout

  init(_ store: ModelStore) {
    self.store = store
    layout = ContextLayout(store.schema)
  }

  func fetch(_ request: RowRequest) throws -> [FetchedRow] {
    let sql = try RequestSQL(request, store.schema)
    let columns = RowColumns(entity: try layout.requireEntity(request.entity), layout: layout)
    let statement = try sql.select(columns.selection(from: sql.alias))
    return try read(statement.sql, statement.arguments) { try columns.row($0) }
  }

  func rows(of entity: EntityLayout, _ identities: [RowIdentity]) throws -> [FetchedRow] {
    let columns = RowColumns(entity: entity, layout: layout)
    let sql = """
      SELECT \(columns.selection(from: entity.name).joined(separator: ", ")) \
      FROM \(quoted(entity.name)) \
      WHERE \(quoted(entity.entity.identityColumn)) IN (SELECT value FROM json_each(?))
      """
    return try inBatches(identities.compactMap(\.stored)) { identities in
      try read(sql, [json(identities)]) { try columns.row($0) }
    }
  }

  func members(
    by relationship: RelationshipLayout, of owners: [RowIdentity]
  ) throws -> [RowIdentity: [FetchedMember]] {
    let owner = layout.entities[relationship.entity]
    let columns = RowColumns(
      entity: layout.entities[relationship.destination], layout: layout)
    let sql = columns.members(by: relationship)
    guard let sql else { return [:] }
    var members: [RowIdentity: [FetchedMember]] = [:]
    _ = try inBatches(owners.compactMap(\.stored)) { identities -> [Void] in
      try read(sql, [json(identities)]) { statement in
        let key = RowIdentity(entity: owner.name, stored: sqlite3_column_int64(statement, 0))
        let position =
          sqlite3_column_type(statement, 1) == SQLITE_NULL
          ? nil : sqlite3_column_int64(statement, 1)
        let row = try columns.row(statement, from: 2)
        members[key, default: []].append(FetchedMember(row: row, position: position))
      }
    }
    return members
  }

  func rows(
    of entity: EntityLayout, with keys: [UniquePart], in values: [UniqueValues]
  ) throws -> [FetchedRow] {
    let columns = RowColumns(entity: entity, layout: layout)
    let names = keys.map { key in
      switch key {
      case .attribute(let index): quoted(entity.entity.attributes[index].name)
      case .slot(let slot): quoted(entity.columns[slot].name)
      }
    }
    let select = """
      SELECT \(columns.selection(from: entity.name).joined(separator: ", ")) \
      FROM \(quoted(entity.name)) WHERE (\(names.joined(separator: ", "))) IN (VALUES
      """
    return try inBatches(values.filter(\.mayBeStored)) { values in
      // The last one again and again up to a power of two: each count would be
      // a statement of its own, and statements are kept.
      var values = values
      while values.count & (values.count - 1) != 0 { values.append(values[values.count - 1]) }
      var arguments: [DatabaseValue] = []
      let lists = try values.map { values in
        "(\(try values.values.map { try $0.mark(&arguments) }.joined(separator: ", ")))"
      }
      return try read("\(select) \(lists.joined(separator: ", ")))", arguments) {
        try columns.row($0)
      }
    }
  }

  private func read<Value>(
    _ sql: String, _ arguments: [DatabaseValue], _ body: (OpaquePointer) throws -> Value
  ) throws -> [Value] {
    try store.read { reader in
      try reader.perform { database in
        var values: [Value] = []
        var rows = try RowSteps(database, sql: sql, arguments)
        while try rows.next() { values.append(try body(rows.statement)) }
        return values
      }
    }
  }

  private func inBatches<Element, Value>(
    _ elements: [Element], _ read: ([Element]) throws -> [Value]
  ) throws -> [Value] {
    var values: [Value] = []
    var rest = elements[...]
    while !rest.isEmpty {
      values += try read(Array(rest.prefix(FaultBatch.size)))
      rest = rest.dropFirst(FaultBatch.size)
    }
    return values
  }

  private func json(_ identities: [Int64]) -> DatabaseValue {
    "[\(identities.map { "\($0)" }.joined(separator: ","))]".databaseValue
  }
}

extension UniqueValues {
  /// Whether a store can have a row with the values: none has links to rows
  /// that are not stored.
  fileprivate var mayBeStored: Bool {
    values.allSatisfy { value in
      if case .row(let identity) = value { !identity.isTemporary } else { true }
    }
  }
}

extension UniqueValues.Value {
  /// The mark that stands for the value in a statement.
  fileprivate func mark(_ arguments: inout [DatabaseValue]) throws -> String {
    switch self {
    case .row(let identity):
      arguments.append((identity.stored ?? 0).databaseValue)
      return "?"
    case .content(let value):
      switch value.content {
      case .string(let text) where text.utf8.contains(0):
        // GRDB binds a text up to its first null character.
        arguments.append(Data(text.utf8).databaseValue)
        return "CAST(? AS TEXT)"
      case .data(let data) where data.isEmpty:
        // GRDB binds what has no address as null.
        return "x''"
      case let content:
        arguments.append(try content.databaseValue)
        return "?"
      }
    }
  }
}

extension RowColumns {
  /// The query of the members of owners, whose identities it is given as JSON:
  /// the owner, the position, and the columns of the member. Nil of a
  /// relationship that is a column of its owner.
  fileprivate func members(by relationship: RelationshipLayout) -> String? {
    let table = quoted(entity.name)
    let identity = "\(table).\(quoted(entity.entity.identityColumn))"
    let selection = selection(from: entity.name).joined(separator: ", ")
    let owner: String
    let position: String?
    let from: String
    switch relationship.link {
    case .column: return nil
    case .inverseColumn(let column, let place):
      owner = "\(table).\(quoted(column))"
      position = place.map { "\(table).\(quoted($0))" }
      from = table
    case .table(let links, let end):
      let name = quoted(links.name)
      owner = "\(name).\(quoted(LinkTable.column(end)))"
      position = links.position(seenFrom: end).map { "\(name).\(quoted($0))" }
      from = "\(name) JOIN \(table) ON \(identity) = \(name).\(quoted(LinkTable.column(end.other)))"
    }
    let order = [owner] + [position].compactMap { $0.map { "\($0) IS NULL, \($0)" } } + [identity]
    return """
      SELECT \(owner), \(position ?? "NULL"), \(selection) FROM \(from) \
      WHERE \(owner) IN (SELECT value FROM json_each(?)) ORDER BY \(order.joined(separator: ", "))
      """
  }
}
