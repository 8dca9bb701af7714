import GRDB
import MohoMapping

/// The stored models that incoming ones are merged into, of those models whose
/// mappings have policies for that.
final class StoredMerging {
  private var stored: [ObjectIdentifier: [ModelIdentity: any MappedModel]] = [:]

  /// Reads the stored models that the rows of a batch have the unique keys of,
  /// by one statement for 500 of them.
  ///
  /// - Parameter earlier: Merged models that are yet to be stored.
  init(
    _ batch: GraphBatch, _ nodes: [ModelNode], _ database: Database, _ schema: Schema,
    after earlier: StoredMerging? = nil
  ) throws {
    stored = earlier?.stored ?? [:]
    for node in nodes where node.hasMerges {
      var keys = batch.rows(of: node).map(\.key).filter { $0 != .null }[...]
      while !keys.isEmpty {
        try load(node.model, Array(keys.prefix(500)), database, schema)
        keys = keys.dropFirst(500)
      }
    }
  }

  private init(_ stored: [ObjectIdentifier: [ModelIdentity: any MappedModel]]) {
    self.stored = stored
  }

  /// The models of some keys.
  func keeping(_ keys: RepeatedNodeKeys) -> StoredMerging {
    StoredMerging(
      Dictionary(
        uniqueKeysWithValues: stored.map { model, stored in
          (model, stored.filter { keys[model]?.contains($0.key) ?? false })
        }))
  }

  private func load<Model: MappedModel>(
    _ model: Model.Type, _ keys: [FieldContent], _ database: Database, _ schema: Schema
  ) throws {
    let entity = try schema.entity(of: model)
    guard let unique = entity.uniqueAttribute else { return }
    var keys = keys
    // The last one again and again up to a power of two: each count would be a
    // statement of its own, and statements are kept.
    while keys.count & (keys.count - 1) != 0 { keys.append(keys[keys.count - 1]) }
    // As bytes, because GRDB ends texts at their first null character, and
    // binds null for no bytes.
    let parameter =
      switch unique.type.columnType {
      case "TEXT": "CAST(coalesce(?, x'') AS TEXT)"
      case "BLOB": "coalesce(?, x'')"
      default: "?"
      }
    let sql = """
      SELECT \(schema.selection(of: Model.mapping, entity).joined(separator: ", ")) \
      FROM \(quoted(entity.name)) WHERE \(quoted(unique.name)) \
      IN (\(keys.map { _ in parameter }.joined(separator: ", ")))
      """
    var rows = try RowReader<Model>(
      database, sql: sql, keys.map { try $0.lookup }, schema: schema, entity: entity)
    var models: [Model] = []
    _ = try rows.read(into: &models)
    for model in models { try keep(model) }
  }

  /// Merges a model into the one that is stored, if one is. Later models with
  /// the same key are merged into what came out.
  func merge<Model: MappedModel>(_ incoming: Model) throws -> Model {
    guard let key = try key(of: incoming) else { return incoming }
    let found = stored[ObjectIdentifier(Model.self)]?[key] as? Model
    let merged = found.map { Model.mapping.merge(incoming, into: $0) } ?? incoming
    stored[ObjectIdentifier(Model.self), default: [:]][key] = merged
    return merged
  }

  /// Merges a nested model that a closure writes, and writes the result.
  ///
  /// - Parameter path: The path of the nested model, for errors.
  func merge(
    _ node: ModelNode, at path: FieldPath, _ body: (any FieldEncoder) throws -> Void,
    to encoder: any FieldEncoder
  ) throws {
    func merge<Model: MappedModel>(_ model: Model.Type) throws {
      let table = Model.mapping.mappingKeys
      let recorder = FieldRecorder(keys: table, path: path)
      try body(recorder)
      var rest = recorder.contents[...]
      let contents = table.keys.map { $0.isTransient ? nil : rest.popFirst() }
      let fields = ContentDecoder(contents, path: path, keys: table)
      let merged = try self.merge(Model.mapping.model(from: fields))
      try Model.mapping.encode(merged, to: encoder)
    }
    try merge(node.model)
  }

  private func keep<Model: MappedModel>(_ model: Model) throws {
    guard let key = try key(of: model),
      stored[ObjectIdentifier(Model.self)]?[key] == nil
    else { return }
    stored[ObjectIdentifier(Model.self), default: [:]][key] = model
  }

  private func key<Model: MappedModel>(of model: Model) throws -> ModelIdentity? {
    guard let unique = Model.mapping.keys.first(where: { $0.traits.contains(.unique) }) else {
      return nil
    }
    let recorder = FieldRecorder()
    try Model.mapping.encode(model, only: unique.name, to: recorder)
    return recorder.contents.first.flatMap { ModelIdentity($0) }
  }
}

extension FieldContent {
  /// The value as a parameter of a look-up.
  fileprivate var lookup: DatabaseValue {
    get throws {
      switch self {
      case .string(let text): return FieldContent.data(.init(text.utf8)).asBytes
      case .decimal: return FieldContent.data(.init("\(self)".utf8)).asBytes
      default: return try databaseValue
      }
    }
  }

  private var asBytes: DatabaseValue {
    if case .data(let data) = self { data.databaseValue } else { .null }
  }
}
