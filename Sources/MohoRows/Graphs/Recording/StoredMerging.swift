import MohoMapping

/// The stored models that incoming models are merged into, by unique key.
/// Contains only models whose mappings have merge policies.
final class StoredMerging {
  private(set) var stored: [ObjectIdentifier: [UniqueKey: any MappedModel]]
  /// The contents of the stored rows that are merged by the policies of columns.
  private var rows: [ObjectIdentifier: [UniqueKey: [FieldContent?]]] = [:]
  /// The mappings without rules, by model.
  private var unruled: [ObjectIdentifier: Any] = [:]

  init(_ stored: [ObjectIdentifier: [UniqueKey: any MappedModel]] = [:]) {
    self.stored = stored
  }

  /// Returns the models and rows with the given keys.
  func only(_ keys: RepeatedNodeKeys) -> StoredMerging {
    func only<Value>(
      _ all: [ObjectIdentifier: [UniqueKey: Value]]
    ) -> [ObjectIdentifier: [UniqueKey: Value]] {
      Dictionary(
        uniqueKeysWithValues: all.map { model, values in
          (model, values.filter { keys[model]?.contains($0.key) ?? false })
        })
    }
    let merging = StoredMerging(only(stored))
    merging.rows = only(rows)
    return merging
  }

  /// Adds the contents of a stored row, unless there already is a row with its key.
  func add(_ row: GraphRow) {
    guard let key = UniqueKey(row.key) else { return }
    let model = ObjectIdentifier(row.node.model)
    if rows[model]?[key] == nil { rows[model, default: [:]][key] = row.contents }
  }

  /// Merges the contents of a row into those of the stored row, if it exists. Later rows with
  /// the same key are merged into the result.
  ///
  /// - Returns: Whether the contents have changed.
  func merge(_ row: GraphRow, by policies: [Int: MergePolicy]) -> Bool {
    guard let key = UniqueKey(row.key) else { return false }
    let model = ObjectIdentifier(row.node.model)
    var isChanged = false
    if let stored = rows[model]?[key] {
      let merged = row.contents(mergedInto: stored, by: policies)
      isChanged = policies.keys.contains { merged[$0] != row.contents[$0] }
      row.contents = merged
    }
    rows[model, default: [:]][key] = row.contents
    return isChanged
  }

  /// Merges a model into the stored one, if it exists. Later models with the
  /// same key are merged into the result.
  ///
  /// - Parameter owner: The identity of the model that contains this model, and
  ///   the index of the relation to it, if it is part of the key.
  func merge<Model: MappedModel>(
    _ incoming: Model, owner: (index: Int, identity: FieldContent)? = nil
  ) throws -> Model {
    guard let key = try key(of: incoming, owner: owner) else { return incoming }
    let found = stored[ObjectIdentifier(Model.self)]?[key] as? Model
    let merged = found.map { Model.mapping.merge(incoming, into: $0) } ?? incoming
    stored[ObjectIdentifier(Model.self), default: [:]][key] = merged
    return merged
  }

  /// Decodes a nested model from its contents, merges it into the stored one,
  /// and encodes the result.
  ///
  /// - Parameters:
  ///   - path: The path of the nested model, for errors.
  ///   - owner: As in ``merge(_:owner:)``.
  func merge<Model: MappedModel>(
    _ model: Model.Type, at path: FieldPath, _ contents: [FieldContent?],
    owner: (index: Int, identity: FieldContent)? = nil, to encoder: any FieldEncoder
  ) throws {
    let fields = ContentDecoder(contents, path: path, keys: Model.mapping.fieldKeys)
    let merged = try merge(Model.mapping.model(from: fields), owner: owner)
    try Model.mapping.encode(merged, to: encoder)
  }

  /// Decodes a model from the contents of its row, merges it into the stored one, and encodes
  /// the result, which is validated.
  func merge<Model: MappedModel>(
    _ model: Model.Type, at path: FieldPath, stored contents: [FieldContent?],
    to encoder: any FieldEncoder
  ) throws {
    let unruled =
      unruled[ObjectIdentifier(model)] as? Mapping<Model> ?? Model.mapping.withoutRules
    self.unruled[ObjectIdentifier(model)] = unruled
    let fields = ContentDecoder(stored: contents, path: path, keys: unruled.fieldKeys)
    try Model.mapping.encode(merge(unruled.model(from: fields)), to: encoder)
  }

  /// Adds a stored model, unless there already is a model with its key.
  func add<Model: MappedModel>(_ model: Model) throws {
    guard let key = try key(of: model),
      stored[ObjectIdentifier(Model.self)]?[key] == nil
    else { return }
    stored[ObjectIdentifier(Model.self), default: [:]][key] = model
  }

  private func key<Model: MappedModel>(
    of model: Model, owner: (index: Int, identity: FieldContent)? = nil
  ) throws -> UniqueKey? {
    let mapping = Model.mapping
    return UniqueKey(try mapping.identity(of: model, by: mapping.identity, owner: owner))
  }
}
