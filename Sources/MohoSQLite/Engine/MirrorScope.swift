import GRDB
import MohoMapping
import MohoRows

/// The rows of a mirrored request for which no model has been saved. They are
/// stored in a temporary table.
final class MirrorScope: MirroredRows {
  private static let table = "temp._moho_scope"

  private let node: ModelNode
  private let database: Database
  private let limit: MirrorLimit
  private let count: Int
  private let schema: CompiledSchema
  private let term: RowTerm
  private let removal: PreparedStatement

  /// Returns nil if the mode deletes no rows.
  init?<Model>(_ mode: SaveMode<Model>, _ database: Database, _ schema: Schema) throws {
    guard case .mirror(let request, _) = mode, let limit = try MirrorLimit(mode, schema.compiled)
    else { return nil }
    node = limit.node
    self.database = database
    self.limit = limit
    self.schema = schema.compiled
    try execute(
      """
      CREATE TEMP TABLE IF NOT EXISTS _moho_scope (id INTEGER PRIMARY KEY);
      DELETE FROM \(Self.table);
      """, on: database)
    let scope = try RequestSQL(request, schema, SQLiteDialect())
    let identities = try scope.select([scope.identity])
    let insertion = SQLQuery("INSERT INTO \(Self.table) \(identities.sql)", identities.arguments)
    try PreparedStatement(database, insertion).execute()
    count = database.changesCount
    term = RowTerm(node, node.name, schema.compiled, first: 1)
    removal = try PreparedStatement(
      database, "DELETE FROM \(Self.table) WHERE id = \(term.sql)", reusesMemory: true)
  }

  func retain(_ rows: [GraphRow]) throws {
    for row in rows { try retain(.row(row)) }
  }

  private func retain(_ row: RowTarget) throws {
    removal.clearBindings()
    try term.bind(row, to: removal)
    try removal.execute()
  }

  /// Excludes the row with a model's unique key from deletion.
  func retain<Model: MappedModel>(_ model: Model) throws {
    try retain(.key(Model.mapping.identity(of: model, by: node.unique)))
  }

  /// Deletes the remaining rows.
  ///
  /// - Returns: The number of deleted rows.
  /// - Throws: A `StoreError` if there are too many remaining rows.
  func deleteRemaining() throws -> Int {
    let remaining =
      try Int.fetchOne(database.cachedStatement(sql: "SELECT count(*) FROM \(Self.table)")) ?? 0
    try limit.check(deleting: remaining, of: count)
    let deleted = try database.delete(
      node.entity, where: "\(node.identity) IN (SELECT id FROM \(Self.table))", schema)
    try execute("DELETE FROM \(Self.table)", on: database)
    return deleted
  }
}
