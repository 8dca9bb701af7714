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

  /// Adds a stored model, unless there already is a model with its key.
  package func add<Model: MappedModel>(_ model: Model) throws {
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
