import Foundation
import GRDB
import GRDBSQLite
import MohoMapping
import MohoRows

// Reads the rows of editing contexts.
extension SQLiteSession {
  func fetch(_ request: RowRequest) throws -> [FetchedRow] {
    let sql = try RequestSQL(request, schema, SQLiteDialect())
    let columns = RowColumns(entity: try compiled.requireEntity(request.entity), schema: compiled)
    return try read(sql.select(columns.selection(from: sql.alias))) { try columns.row($0) }
  }

  func rows(of entity: CompiledEntity, _ identities: [RowIdentity]) throws -> [FetchedRow] {
    let columns = RowColumns(entity: entity, schema: compiled)
    let query = LinkQuery(of: entity, SQLiteDialect())
    let sql = query.select(columns.selection(from: LinkQuery.alias))
    return try inBatches(identities.compactMap(\.stored)) { identities in
      try read(SQLQuery(sql, [query.argument(identities)])) { try columns.row($0) }
    }
  }

  func members(
    by relationship: CompiledRelationship, of owners: [RowIdentity]
  ) throws -> [RowIdentity: [FetchedMember]] {
    let owner = compiled.entities[relationship.entity]
    let columns = RowColumns(entity: compiled.entities[relationship.destination], schema: compiled)
    let query = LinkQuery(relationship, compiled, SQLiteDialect())
    let sql = query.select(
      [query.owner, query.position] + columns.selection(from: LinkQuery.alias))
    var members: [RowIdentity: [FetchedMember]] = [:]
    _ = try inBatches(owners.compactMap(\.stored)) { identities -> [Void] in
      try read(SQLQuery(sql, [query.argument(identities)])) { statement in
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
    of entity: CompiledEntity, with keyColumns: [UniqueKeyColumn], in keys: [UniqueKey]
  ) throws -> [FetchedRow] {
    let columns = RowColumns(entity: entity, schema: compiled)
    let names = keyColumns.map { column in
      switch column {
      case .attribute(let index): quotedName(entity.attributes[index].name)
      case .slot(let slot): quotedName(entity.linkColumns[slot].name)
      }
    }
    let select = """
      SELECT \(columns.selection(from: entity.name).joined(separator: ", ")) \
      FROM \(quotedName(entity.name)) WHERE (\(names.joined(separator: ", "))) IN (VALUES
      """
    let list = "(\(names.map { _ in "?" }.joined(separator: ", ")))"
    return try inBatches(keys.filter(\.mayBeStored)) { keys in
      // Repeat the last key up to a power of two, because each number of keys
      // has its own cached statement.
      var keys = keys
      while keys.count & (keys.count - 1) != 0 { keys.append(keys[keys.count - 1]) }
      let lists = keys.map { _ in list }.joined(separator: ", ")
      let arguments = keys.flatMap(\.parts).map(\.storedContent)
      return try read(SQLQuery("\(select) \(lists))", arguments)) { try columns.row($0) }
    }
  }

  private var compiled: CompiledSchema { schema.compiled }

  private func read<Value>(
    _ query: SQLQuery, _ body: (OpaquePointer) throws -> Value
  ) throws -> [Value] {
    try perform { database in
      var values: [Value] = []
      try StatementRows.forEach(of: query, database) { values.append(try body($0)) }
      return values
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
}
