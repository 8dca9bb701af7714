import MohoMapping
import MohoRows

extension SQLiteSession {
  func rows(
    of entity: CompiledEntity, with keyColumns: [UniqueKeyColumn], in keys: [UniqueKey]
  ) throws -> [FetchedRow] {
    let columns = FetchedColumns(entity, schema.compiled)
    let names = keyColumns.map { quotedName($0.name(in: entity)) }
    let select = """
      SELECT \(columns.selection(from: entity.name).joined(separator: ", ")) \
      FROM \(quotedName(entity.name)) WHERE (\(names.joined(separator: ", "))) IN (VALUES
      """
    let list = "(\(names.map { _ in "?" }.joined(separator: ", ")))"
    var rows: [FetchedRow] = []
    var rest = keys.filter(\.mayBeStored)[...]
    while !rest.isEmpty {
      var keys = rest.prefix(FaultBatch.size)
      rest = rest.dropFirst(FaultBatch.size)
      // Repeat the last key up to a power of two, because each number of keys
      // has its own cached statement.
      while keys.count & (keys.count - 1) != 0 { keys.append(keys[keys.endIndex - 1]) }
      let lists = keys.map { _ in list }.joined(separator: ", ")
      let arguments = keys.flatMap(\.parts).map(\.storedContent)
      rows += try self.rows(SQLQuery("\(select) \(lists))", arguments), columns)
    }
    return rows
  }
}
