import GRDB
import GRDBSQLite
import MohoMapping
import MohoRows

/// Saves and deletes models of one type, with one prepared statement for each
/// operation.
final class ModelWriter<Model: MappedModel> {
  private let database: Database
  private let node: ModelNode
  private let schema: Schema
  private var entity: Entity { node.entity.entity }
  private let mapping = Model.mapping
  private let writers: KeyWriters
  private let hasRules: Bool
  private let written: [Int]
  private let parameters: [Int32]
  private let identity: Int?
  private let sql: UpsertSQL
  private let upsert: RowFieldEncoder
  private var insertion: RowFieldEncoder?
  private var deletion: RowDeletion?
  /// The log of written rows, or nil if rows may be written several times.
  private let log: SavedRowLog?
  private let updatedRow: UpdatedRow?
  private var indexing: RepeatedIndexing
  private var count = 0
  private let copier: FieldCopier?

  /// - Parameter log: The log of written rows, or nil if rows may be written
  ///   several times.
  init(_ database: Database, _ schema: Schema, log: SavedRowLog? = nil) throws {
    self.database = database
    self.schema = schema
    node = try schema.compiled.node(of: Model.self)
    self.log = log
    let entity = node.entity.entity
    updatedRow = log == nil ? nil : ConnectionFunctions.updatedRow(of: database)
    indexing = RepeatedIndexing(of: entity, database)
    var count: Int32 = 0
    let parameters = mapping.keys.map { key -> Int32 in
      if !key.isStored { return 0 }
      count += 1
      return count
    }
    try mapping.checkDeclaration()
    writers = mapping.writers
    hasRules = mapping.hasRules
    written = mapping.fieldKeys.stored
    self.parameters = parameters
    sql = UpsertSQL(node)
    identity = mapping.keys.firstIndex { $0.isStored && $0.name == entity.identityColumn }
    upsert = RowFieldEncoder(
      try PreparedStatement(database, sql.upsert, reusesMemory: true),
      parameters: parameters, identity: identity, keys: mapping.keys)
    copier = mapping.copier(to: upsert)
  }

  /// Whether rows can be written without creating models.
  var copiesFields: Bool { copier != nil }

  /// Binds the fields of an object for the next row. Binds nothing if it
  /// throws.
  func bind(_ fields: any FieldDecoder) throws {
    do {
      try copier?.copy(from: fields)
    } catch {
      upsert.clearBindings()
      throw error
    }
  }

  /// Saves the bound fields and unbinds them.
  ///
  /// - Throws: A ``RepeatedRow`` if the row has been updated before.
  func saveBoundFields() throws -> SaveOutcome {
    defer { copier?.writesAll == true ? upsert.reset() : upsert.clearBindings() }
    try checkIdentity(upsert)
    return try record(upsert.statement.executeUpsert(identity: upsert.identityValue))
  }

  /// Saves the model at an address without copying it.
  ///
  /// - Parameters:
  ///   - model: The address of the model.
  ///   - index: The position in the list of models, for errors.
  /// - Throws: A ``RepeatedRow`` if the row has been updated before.
  func save(_ model: UnsafePointer<Model>, at index: Int?) throws -> SaveOutcome {
    try record(save(model, at: index, by: upsert))
  }

  /// Inserts a model, unless its row exists.
  func insert(_ model: UnsafePointer<Model>, at index: Int?) throws -> SaveOutcome {
    let encoder =
      try insertion
      ?? RowFieldEncoder(
        PreparedStatement(database, sql.insertion, reusesMemory: true),
        parameters: parameters, identity: identity, keys: mapping.keys)
    insertion = encoder
    let outcome = try save(model, at: index, by: encoder)
    if outcome == .inserted { try indexing.didWriteRow() }
    return outcome
  }

  /// Returns the unique key of a model, or nil if the key is not equal to any
  /// other key.
  func key(of model: Model) throws -> UniqueKey? {
    if node.unique.isEmpty { return nil }
    return UniqueKey(try mapping.identity(of: model, by: node.unique))
  }

  private func record(_ outcome: SaveOutcome) throws -> SaveOutcome {
    if outcome == .inserted || outcome == .updated { try indexing.didWriteRow() }
    guard let log, let updatedRow else { return outcome }
    switch outcome {
    case .unchanged, .missing: return outcome
    case .inserted:
      log.recordInsertion(sqlite3_last_insert_rowid(database.sqliteConnection))
      return outcome
    case .updated:
      count += 1
      switch log.recordUpdate(updatedRow.rowID, batch: count) {
      case .first: return outcome
      case .ofCountedRow: return .unchanged
      case .repeated: throw RepeatedRow()
      }
    }
  }

  private func save(
    _ model: UnsafePointer<Model>, at index: Int?, by encoder: RowFieldEncoder
  ) throws -> SaveOutcome {
    encoder.clearBindings()
    do {
      try encode(model, to: encoder)
    } catch let error as MappingError {
      throw index.map { error.inElement($0) } ?? error
    }
    do {
      return try encoder.statement.executeUpsert(identity: encoder.identityValue)
    } catch let error as DatabaseError {
      var error = StoreError(error, subject: subject(of: model.pointee, at: index), schema: schema)
      error.path = index.map { FieldPath([.index($0)]) }
      throw error
    }
  }

  private func encode(_ model: UnsafePointer<Model>, to encoder: RowFieldEncoder) throws {
    if hasRules {
      try mapping.withValidated(model, writtenTo: encoder) {
        try writers.write($0, written, to: encoder)
      }
    } else {
      try writers.write(model, written, to: encoder)
    }
    try checkIdentity(encoder)
  }

  /// Throws an error if the key that is the row ID is null, because SQLite
  /// would generate a row ID.
  private func checkIdentity(_ encoder: RowFieldEncoder) throws {
    guard encoder.hasIdentity, encoder.identityValue == nil else { return }
    throw MappingError(
      .unexpectedNull, model: entity.name, key: entity.identityColumn, found: "null",
      expected: "integer")
  }

  func delete(_ model: Model) throws -> Int {
    let statement = try deletion(of: model)
    try statement.execute()
    let count = statement.changesCount
    if count > 0 { try indexing.didWriteRow() }
    return count
  }

  /// The entity, if its rows are deleted by their identities, with all rows that
  /// cascades reach.
  var deletedInSteps: CompiledEntity? {
    schema.compiled.needsDeleter(node.entity) ? node.entity : nil
  }

  /// Returns the identity of the row of a model to delete, if it is stored.
  func identity(of model: Model) throws -> Int64? {
    try deletion(of: model).first { sqlite3_column_int64($0, 0) }
  }

  /// Returns the statement that deletes the row of a model, or reads its identity.
  private func deletion(of model: Model) throws -> PreparedStatement {
    guard !node.unique.isEmpty else { throw StoreError.noUniqueKey(toDelete: node) }
    let deletion = try self.deletion ?? RowDeletion(node, schema.compiled, database)
    self.deletion = deletion
    try deletion.bind(model, mapping)
    return deletion.statement
  }

  private func subject(of model: Model, at index: Int?) -> String {
    guard let key = try? mapping.identity(of: model, by: node.unique), !node.unique.isEmpty else {
      return "`\(entity.name)`" + (index.map { " at /\($0)" } ?? "")
    }
    return "`\(entity.name)` \(key.text)"
  }
}

/// The statement that deletes the row of a model, or reads its identity.
private final class RowDeletion {
  let statement: PreparedStatement
  private let attributes: [Int]
  private let encoder: RowFieldEncoder
  private var links: [(key: Int, parameter: Int32, target: IdentifyingColumns)] = []

  init(_ node: ModelNode, _ schema: CompiledSchema, _ database: Database) throws {
    let columns = IdentifyingColumns(node.entity, schema)
    statement = try PreparedStatement(
      database,
      (schema.needsDeleter(node.entity) ? "SELECT \(node.identity)" : "DELETE")
        + " FROM \(quotedName(node.name)) WHERE \(columns.condition(first: 1))",
      reusesMemory: true)
    var parameters = Array(repeating: Int32(0), count: node.keys.count)
    for (key, column) in zip(node.unique, columns.parameters(first: 1)) {
      if let target = column.target {
        links.append((key, column.first, target))
      } else {
        parameters[key] = column.first
      }
    }
    attributes = node.unique.filter { parameters[$0] > 0 }
    encoder = RowFieldEncoder(statement, parameters: parameters, keys: node.table.keys)
  }

  func bind<Model: MappedModel>(_ model: Model, _ mapping: Mapping<Model>) throws {
    encoder.clearBindings()
    try withUnsafePointer(to: model) { model in
      try mapping.encode(model, order: attributes, to: encoder)
      for link in links {
        let key = try mapping.relatedKey(of: model, at: link.key)
        try link.target.bind(key, to: statement, first: link.parameter)
      }
    }
  }
}

extension UpsertSQL {
  /// The statements whose parameters are the attributes of a node's entity in order.
  fileprivate init(_ node: ModelNode) {
    let entity = node.entity.entity
    let merges = node.columnMerges.map { (node.table.keys[$0].name, $1) }
    let policies = Dictionary(uniqueKeysWithValues: merges)
    table = quotedName(entity.name)
    identity = quotedName(entity.identityColumn)
    key = entity.identifyingKeys.map { quotedName($0) }
    columns = entity.attributes.enumerated().map { index, attribute in
      Column(
        name: quotedName(attribute.name), value: "?\(index + 1)",
        merge: policies[attribute.name])
    }
  }
}

extension FieldContent {
  fileprivate var text: String {
    switch self {
    case .null: "without a key"
    case .string(let text): quoted(text)
    case .int64(let value): "\(value)"
    case .uint64(let value): "\(value)"
    default: "\(self)"
    }
  }
}
