import MohoMapping
import MohoRows

extension PostgresSession {
  func fetch(_ request: RowRequest) throws -> [FetchedRow] {
    let sql = try requestSQL(request)
    let compiled = schema.compiled
    let columns = RowColumns(entity: try compiled.requireEntity(request.entity), schema: compiled)
    return try query(sql.select(columns.selection(from: sql.alias))).rows.map {
      try columns.row($0)
    }
  }
}
