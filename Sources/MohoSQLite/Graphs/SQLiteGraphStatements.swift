import GRDB
import MohoMapping
import MohoRows

/// The statements that save graphs.
final class SQLiteGraphStatements: GraphStatements {
  private let database: Database
  private let statements: SchemaStatements
  private var schema: Schema { statements.schema }
  let failures: WriteFailures
  private var lookups: [ObjectIdentifier: RowLookup] = [:]

  /// - Parameter failures: The errors of the call, if it has other writers.
  init(_ database: Database, _ statements: SchemaStatements, _ failures: WriteFailures? = nil) {
    self.database = database
    self.statements = statements
    self.failures = failures ?? WriteFailures { database.isInsideTransaction }
  }

  func nodeWriter(
    _ node: ModelNode, deferring deferredLinks: Set<Int>, log: SavedRowLog?
  ) throws -> any NodeRowWriter {
    NodeWriter(
      try statements.node(node, deferring: deferredLinks), schema, database, failures, log: log)
  }

  func linkWriter(_ link: NodeLink, of node: ModelNode) throws -> any LinkRowWriter {
    try LinkWriter(link, of: node, schema, database, failures)
  }

  func contains(_ keys: [FieldContent], of node: ModelNode) throws -> [Bool] {
    let id = ObjectIdentifier(node)
    let lookup = try lookups[id] ?? RowLookup(node, schema.compiled, database)
    lookups[id] = lookup
    return try keys.map { try lookup.contains($0) }
  }

  func models<Model: MappedModel>(
    of model: Model.Type, with keys: [FieldContent]
  ) throws -> [Model] {
    let node = try schema.compiled.node(of: model)
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
    return models
  }
}
