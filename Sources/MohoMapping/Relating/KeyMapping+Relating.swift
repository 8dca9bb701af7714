extension KeyMapping where Value: FieldValue {
  /// A key that relates the model to one other: a nested model, a
  /// ``ModelReference``, or an optional one.
  ///
  /// ```swift
  /// .toOne("podcast", \.podcast, inverse: "episodes")
  /// ```
  ///
  /// In documents it is what ``key(_:_:json:alternatives:default:_:)`` makes of it: an
  /// object, or a bare key. In a store it is a link to a row of the other
  /// model, which has a table of its own.
  ///
  /// - Parameters:
  ///   - name: The key's name: its column in a store.
  ///   - keyPath: The property.
  ///   - path: Where documents hold the key; at the key's name unless given.
  ///   - paths: Where else to look for it where there is nothing.
  ///   - inverse: The key of the other model that is the way back.
  ///   - deleteRule: What becomes of the other row when this one is deleted.
  ///   - traits: What is special about the key, one after the other.
  public static func toOne(
    _ name: String,
    _ keyPath: any KeyPath<Model, Value> & Sendable,
    json path: String? = nil,
    alternatives paths: [String] = [],
    inverse: String? = nil,
    onDelete deleteRule: DeleteRule = .nullify,
    _ traits: KeyTraits...
  ) -> Self {
    key(name, keyPath, json: path, alternatives: paths, KeyTraits(traits)).relating(
      isToMany: false, inverse: inverse, deleteRule: deleteRule, count: nil, linkPolicy: .replace)
  }

  /// A key that relates the model to any number of others: an array, which
  /// keeps their order, or a set, of nested models or references.
  ///
  /// ```swift
  /// .toMany("chapters", \.chapters, inverse: "episode", onDelete: .cascade,
  ///   linkPolicy: .replace(removed: .delete))
  /// ```
  ///
  /// - Parameters:
  ///   - name: The key's name.
  ///   - keyPath: The property.
  ///   - path: Where documents hold the key; at the key's name unless given.
  ///   - paths: Where else to look for it where there is nothing.
  ///   - inverse: The key of the other model that is the way back. Where that
  ///     is to one, the other rows hold the link; else a table of links does.
  ///   - deleteRule: What becomes of the other rows when this one is deleted.
  ///   - count: How many there may be; any number unless given.
  ///   - linkPolicy: What saving a model makes of the links that are stored.
  ///   - traits: What is special about the key, one after the other.
  public static func toMany(
    _ name: String,
    _ keyPath: any KeyPath<Model, Value> & Sendable,
    json path: String? = nil,
    alternatives paths: [String] = [],
    inverse: String? = nil,
    onDelete deleteRule: DeleteRule = .nullify,
    count: ClosedRange<Int>? = nil,
    linkPolicy: LinkPolicy = .replace,
    _ traits: KeyTraits...
  ) -> Self {
    key(name, keyPath, json: path, alternatives: paths, KeyTraits(traits)).relating(
      isToMany: true, inverse: inverse, deleteRule: deleteRule, count: count, linkPolicy: linkPolicy
    )
  }

  private func relating(
    isToMany: Bool, inverse: String?, deleteRule: DeleteRule, count: ClosedRange<Int>?,
    linkPolicy: LinkPolicy
  ) -> Self {
    var key = self
    guard let models = Value.relatedModels, models.isToMany == isToMany else {
      key.description.problems.append(
        "`\(Value.self)` relates to no model, as \(isToMany ? "`.toMany`" : "`.toOne`") needs;"
          + " declare a \(isToMany ? "collection of models" : "model") or use `.key`")
      return key
    }
    if key.description.traits.contains(.unique) || key.description.traits.contains(.indexed) {
      key.description.problems.append("a relation is indexed by the store and cannot be unique")
    }
    key.description.relation = Relation(
      models: models, inverse: inverse, deleteRule: deleteRule, count: count, linkPolicy: linkPolicy
    )
    return key
  }
}
