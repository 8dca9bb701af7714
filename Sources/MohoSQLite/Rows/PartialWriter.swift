import GRDB
import MohoMapping
import MohoRows

/// Updates the rows of one model from partial models, with one prepared
/// statement for each set of present keys.
final class PartialWriter<Model: MappedModel>: PartialRowWriter {
  let failures: WriteFailures
  private let database: Database
  private let node: ModelNode
  private let schema: Schema
  private var lookup: RowLookup?
  private let mapping = Model.mapping
  /// The names of the keys that identify a row.
  private let unique: [String]
  private var updates: [[String]: RowFieldEncoder] = [:]
  /// The log of written rows, or nil if the writer does not write.
  private let log: SavedRowLog?
  private let updatedRow: UpdatedRow?
  private var indexing: RepeatedIndexing

  /// - Parameters:
  ///   - log: The log of written rows, or nil if the writer does not write.
  ///   - failures: The errors of the call.
  init(
    _ database: Database, _ schema: Schema, log: SavedRowLog? = nil,
    _ failures: WriteFailures? = nil
  ) throws {
    node = try schema.compiled.node(of: Model.self)
    indexing = RepeatedIndexing(of: node.entity.entity, database)
    unique = node.unique.map { [node] in node.table.keys[$0].name }
    if unique.isEmpty {
      throw StoreError.noUniqueKey(ofPartial: node)
    }
    self.database = database
    self.schema = schema
    self.failures = failures ?? WriteFailures { database.isInsideTransaction }
    self.log = log
    updatedRow = log == nil ? nil : ConnectionFunctions.updatedRow(of: database)
  }

  func update(_ partials: [(partial: Partial<Model>, index: Int)]) throws -> [SaveOutcome] {
    try partials.map { partial, index in
      do {
        return try update(partial)
      } catch {
        let error = (error as? MappingError)?.inElement(index) ?? error
        try failures.add(error, at: FieldPath([.index(index)]))
        return .unchanged
      }
    }
  }

  private func update(_ partial: Partial<Model>) throws -> SaveOutcome {
    try check(partial)
    // The partial model may contain properties that have no column.
    let others = partial.keys.filter { $0.isStored && !unique.contains($0.name) }.map(\.name)
    if !others.isEmpty {
      let update = try update(of: others)
      update.clearBindings()
      try mapping.encode(partial, order: mapping.fieldKeys.stored, to: update)
      do {
        try update.statement.execute()
      } catch let error as DatabaseError {
        throw StoreError(error, subject: "\(partial)", schema: schema)
      }
      if update.statement.changesCount > 0 {
        try indexing.didWriteRow()
        guard let log, let updatedRow else { return .updated }
        return try log.outcome(ofUpdating: updatedRow.rowID, others)
      }
    }
    return try identities(of: [key(of: partial)])[0] == nil ? .missing : .unchanged
  }

  func check(_ partial: Partial<Model>) throws {
    let keys = partial.keys
    let missing = unique.first { name in !keys.contains { $0.isStored && $0.name == name } }
    if let missing { throw StoreError.missingKey(missing, of: partial) }
  }

  func key(of partial: Partial<Model>) throws -> FieldContent {
    try mapping.identity(of: partial, by: node.unique)
  }

  func identities(of keys: [FieldContent]) throws -> [Int64?] {
    let lookup = try self.lookup ?? RowLookup(node, schema.compiled, database)
    self.lookup = lookup
    return try keys.map { try lookup.identity($0) }
  }

  private func update(of names: [String]) throws -> RowFieldEncoder {
    if let update = updates[names] { return update }
    let numbers = Dictionary(
      uniqueKeysWithValues: (unique + names).enumerated().map { ($1, Int32($0 + 1)) })
    let sql = UpsertSQL(
      table: quotedName(node.name), identity: node.identity, key: unique.map { quotedName($0) },
      columns: (unique + names).map { name in
        UpsertSQL.Column(name: quotedName(name), value: "?\(numbers[name] ?? 0)")
      })
    let update = RowFieldEncoder(
      try PreparedStatement(database, sql.update, reusesMemory: true),
      parameters: mapping.keys.map { $0.isStored ? numbers[$0.name] ?? 0 : 0 }, keys: mapping.keys)
    updates[names] = update
    return update
  }
}
