package import MohoMapping

/// The stored models that incoming models are merged into, by unique key.
/// Contains only models whose mappings have merge policies.
package final class StoredMerging {
  package private(set) var stored: [ObjectIdentifier: [UniqueKey: any MappedModel]]

  package init(_ stored: [ObjectIdentifier: [UniqueKey: any MappedModel]] = [:]) {
    self.stored = stored
  }

  /// Returns the models with the given keys.
  func only(_ keys: RepeatedNodeKeys) -> StoredMerging {
    StoredMerging(
      Dictionary(
        uniqueKeysWithValues: stored.map { model, stored in
          (model, stored.filter { keys[model]?.contains($0.key) ?? false })
        }))
  }

  /// Merges a model into the stored one, if it exists. Later models with the
  /// same key are merged into the result.
  func merge<Model: MappedModel>(_ incoming: Model) throws -> Model {
    guard let key = try key(of: incoming) else { return incoming }
    let found = stored[ObjectIdentifier(Model.self)]?[key] as? Model
    let merged = found.map { Model.mapping.merge(incoming, into: $0) } ?? incoming
    stored[ObjectIdentifier(Model.self), default: [:]][key] = merged
    return merged
  }

  /// Decodes a nested model from the fields that a closure writes, merges it
  /// into the stored one, and encodes the result.
  ///
  /// - Parameter path: The path of the nested model, for errors.
  func merge(
    _ node: ModelBinding, at path: FieldPath, _ body: (any FieldEncoder) throws -> Void,
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

  /// Adds a stored model, unless there already is a model with its key.
  package func add<Model: MappedModel>(_ model: Model) throws {
    guard let key = try key(of: model),
      stored[ObjectIdentifier(Model.self)]?[key] == nil
    else { return }
    stored[ObjectIdentifier(Model.self), default: [:]][key] = model
  }

  private func key<Model: MappedModel>(of model: Model) throws -> UniqueKey? {
    guard let unique = Model.mapping.keys.first(where: { $0.traits.contains(.unique) }) else {
      return nil
    }
    let recorder = FieldRecorder()
    try Model.mapping.encode(model, only: unique.name, to: recorder)
    return recorder.contents.first.flatMap { UniqueKey($0) }
  }
}
