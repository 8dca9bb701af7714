import MohoMapping
import MohoRows

/// The statements that save graphs.
final class PostgresGraphStatements: GraphStatements {
  let session: PostgresSession
  let connection: PostgresConnection
  let resolver: RowResolver
  let failures: WriteFailures
  private let schema: CompiledSchema
  private let mode: SavingMode
  let partialBatchSize: Int

  /// - Parameter partialBatchSize: The maximum number of partial models that are written
  ///   together.
  init(
    _ session: PostgresSession, _ mode: SavingMode = .fast, partialBatchSize: Int = 1
  ) throws {
    self.session = session
    self.mode = mode
    self.partialBatchSize = partialBatchSize
    failures = WriteFailures(mode)
    connection = try session.connection
    schema = session.schema.compiled
    resolver = RowResolver(connection, schema)
  }

  func nodeWriter(
    _ node: ModelNode, deferring deferredLinks: Set<Int>, log: SavedRowLog?
  ) throws -> any NodeRowWriter {
    NodeWriter(node, deferring: deferredLinks, self, log: log)
  }

  func linkWriter(_ link: NodeLink, of node: ModelNode) throws -> any LinkRowWriter {
    LinkWriter(link, try schema.node(of: link.target), self)
  }

  func contains(_ keys: [FieldContent], of node: ModelNode) throws -> [Bool] {
    try resolver.identities(of: keys, in: node.entity, isVerified: true).map { $0 != nil }
  }

  func models<Model: MappedModel>(
    of model: Model.Type, with keys: [FieldContent]
  ) throws -> [Model] {
    let entity = try schema.node(of: model).entity
    let ids = try resolver.identities(of: keys, in: entity, isVerified: true).compactMap { $0 }
    if ids.isEmpty { return [] }
    return try session.models(of: model, rowIDs: ids)
  }

  /// Writes rows by a closure. If it violates a constraint in the careful mode,
  /// the rows that violate it are looked for, and their errors are added to those
  /// of the call.
  func write(_ rows: [GraphRow], _ body: ([GraphRow]) throws -> Void) throws {
    try write(rows, body) { try failures.add($0, of: $1) }
  }

  /// Writes rows by a closure, as ``write(_:_:)``.
  ///
  /// - Parameter fail: Receives each row that violates a constraint.
  func write(
    _ rows: [GraphRow], _ body: ([GraphRow]) throws -> Void,
    failing fail: (StoreError, GraphRow) throws -> Void
  ) throws {
    guard mode != .fast else { return try body(rows) }
    try connection.writingParts(of: rows[...]) {
      try body(Array($0))
    } failing: { error, row in
      var error = error
      error.name(row)
      try fail(error, row)
    }
  }

  /// Returns the identities of the rows that a link of several rows refers to.
  ///
  /// - Parameter isVerified: As ``RowResolver/identities(of:in:isVerified:)``.
  /// - Throws: A `StoreError` if a row does not exist.
  func identities(
    of targets: [RowTarget], _ link: NodeLink, isVerified: Bool = false
  ) throws -> [Int64?] {
    let entity = try schema.node(of: link.target).entity
    var ids: [Int64?] = targets.map { target in
      if case .row(let row) = target { row.rowID } else { nil }
    }
    let keys: [FieldContent] = zip(targets, ids).map { target, id in
      switch target {
      case .nothing: .null
      case .key(let key): key
      case .row(let row): id == nil ? row.key : .null
      }
    }
    guard keys.contains(where: { $0 != .null }) else { return ids }
    let found = try resolver.identities(of: keys, in: entity, isVerified: isVerified)
    for (index, key) in keys.enumerated() where key != .null {
      guard let id = found[index] else {
        throw RowResolver.dangling(key, link.label, entity)
      }
      ids[index] = id
    }
    return ids
  }
}

extension PostgresSession {
  /// Returns the models of rows with their related models, in no particular
  /// order.
  func models<Model: MappedModel>(of model: Model.Type, rowIDs: [Int64]) throws -> [Model] {
    let node = try schema.compiled.node(of: model)
    let query = LinkQuery(of: node.entity, PostgresDialect())
    let cursor = try PostgresModelCursor<Model>(
      self,
      SQLQuery(query.select(node.selection(in: LinkQuery.alias)), [query.argument(rowIDs)]))
    var models: [Model] = []
    while try cursor.read(1_000, into: &models) {}
    return models
  }
}
