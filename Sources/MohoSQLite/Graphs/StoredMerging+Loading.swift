import GRDB
import MohoMapping
import MohoRows

extension StoredMerging {
  /// Reads the stored models that have the unique keys of a batch's rows, with
  /// one statement per 500 models.
  ///
  /// - Parameter earlier: Merged models that have not been written.
  convenience init(
    _ batch: GraphBatch, _ nodes: [ModelBinding], _ database: Database, _ schema: Schema,
    after earlier: StoredMerging? = nil
  ) throws {
    self.init(earlier?.stored ?? [:])
    for node in nodes where node.hasMerges {
      var keys = batch.rows(of: node).map(\.key).filter { $0 != .null }[...]
      while !keys.isEmpty {
        try load(node.model, Array(keys.prefix(500)), database, schema)
        keys = keys.dropFirst(500)
      }
    }
  }

  private func load<Model: MappedModel>(
    _ model: Model.Type, _ keys: [FieldContent], _ database: Database, _ schema: Schema
  ) throws {
    let node = try schema.compiled.binding(of: model)
    let entity = node.entity.entity
    let columns = IdentifyingColumns(node.entity, schema.compiled)
    var keys = keys
    // Repeat the last key up to a power of two, because each number of keys has
    // its own cached statement.
    while keys.count & (keys.count - 1) != 0 { keys.append(keys[keys.count - 1]) }
    let sql = """
      SELECT \(node.selection().joined(separator: ", ")) \
      FROM \(quotedName(entity.name)) WHERE \(columns.isAmong(count: keys.count))
      """
    var values: [FieldContent] = []
    for key in keys { try columns.forEachValue(of: key) { values.append($0) } }
    let query = SQLQuery(sql, values)
    var rows = try RowReader<Model>(
      database, query, schema: schema, entity: entity)
    var models: [Model] = []
    _ = try rows.read(into: &models)
    for model in models { try add(model) }
  }
}
