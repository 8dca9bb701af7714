extension KeyMapping where Value: FieldValue {
  /// A to-one relation: a nested model, a ``ModelReference``, or an optional of
  /// either.
  ///
  /// ```swift
  /// .toOne("podcast", \.podcast, inverse: "episodes", whenTargetIsDeleted: .cascade)
  /// ```
  ///
  /// In documents, the value has the form of
  /// `.key(_:_:json:alternatives:default:_:)`: an object or a bare key. In a
  /// store, it is a link to a row in the table of the related model.
  ///
  /// - Parameters:
  ///   - name: The name of the key, and of its column in a store.
  ///   - keyPath: The property.
  ///   - path: The path in documents. The default is the name of the key.
  ///   - paths: Paths to read if the first one has no value.
  ///   - inverse: The key of the related model that is the inverse relation.
  ///   - targetRule: What happens to this row when the row that it refers to is
  ///     deleted, like `ON DELETE` in SQL. The default is the rule that the
  ///     inverse relation declares, or ``DeleteRule/nullify``.
  ///   - deleteRule: What happens to the related row when this row is deleted,
  ///     like the delete rule in Core Data. The default is the rule that the
  ///     inverse relation declares, or ``DeleteRule/nullify``.
  ///   - traits: Properties of the key.
  public static func toOne(
    _ name: String,
    _ keyPath: any KeyPath<Model, Value> & Sendable,
    json path: String? = nil,
    alternatives paths: [String] = [],
    inverse: String? = nil,
    whenTargetIsDeleted targetRule: DeleteRule? = nil,
    whenThisIsDeleted deleteRule: DeleteRule? = nil,
    _ traits: KeyTraits...
  ) -> Self {
    key(name, keyPath, json: path, alternatives: paths, KeyTraits(traits)).relating(
      isToMany: false, inverse: inverse, deleteRule: deleteRule, targetDeleteRule: targetRule,
      count: nil, linkPolicy: .replace)
  }

  /// A to-many relation: an array, which is ordered, or a set of nested models
  /// or references.
  ///
  /// ```swift
  /// .toMany("chapters", \.chapters, inverse: "episode", onDelete: .cascade,
  ///   linkPolicy: .replace(removed: .delete))
  /// ```
  ///
  /// - `defaultValue` is the value if documents do not contain the key, such as
  ///   `[]`. Saving an empty collection removes the stored links. A collection
  ///   that is optional and nil leaves them as they are.
  /// - `inverse` is the key of the related model that is the inverse relation. If
  ///   it is a to-one relation, the related rows store the links. If not, a link
  ///   table does.
  /// - `deleteRule` is what happens to the related rows when this row is deleted.
  ///   The default is the rule that the inverse relation declares, or
  ///   ``DeleteRule/nullify``.
  /// - `count` is the allowed number of related rows. The default is any number.
  /// - `linkPolicy` is what happens to stored links when a model is saved.
  ///
  /// For the other parameters, see
  /// ``toOne(_:_:json:alternatives:inverse:whenTargetIsDeleted:whenThisIsDeleted:_:)``.
  public static func toMany(
    _ name: String,
    _ keyPath: any KeyPath<Model, Value> & Sendable,
    json path: String? = nil,
    alternatives paths: [String] = [],
    default defaultValue: Value? = nil,
    inverse: String? = nil,
    onDelete deleteRule: DeleteRule? = nil,
    count: ClosedRange<Int>? = nil,
    linkPolicy: LinkPolicy = .replace,
    _ traits: KeyTraits...
  ) -> Self {
    key(
      name, keyPath, json: path, alternatives: paths, default: defaultValue, KeyTraits(traits)
    ).relating(
      isToMany: true, inverse: inverse, deleteRule: deleteRule, targetDeleteRule: nil,
      count: count, linkPolicy: linkPolicy)
  }

  private func relating(
    isToMany: Bool, inverse: String?, deleteRule: DeleteRule?, targetDeleteRule: DeleteRule?,
    count: ClosedRange<Int>?, linkPolicy: LinkPolicy
  ) -> Self {
    var mapping = self
    guard let models = Value.relatedModels, models.isToMany == isToMany else {
      mapping.key.problems.append(
        "`\(Value.self)` cannot be the value of `\(isToMany ? ".toMany" : ".toOne")`: declare a"
          + " \(isToMany ? "collection of models" : "model") or use `.key`")
      return mapping
    }
    if key.traits.contains(.unique) || key.traits.contains(.indexed) {
      mapping.key.problems.append("a relation cannot be unique, and the store indexes it anyway")
    }
    mapping.key.relation = Relation(
      models: models, inverse: inverse, deleteRule: deleteRule,
      targetDeleteRule: targetDeleteRule, count: count, linkPolicy: linkPolicy)
    return mapping
  }
}

/// These overloads exist for their messages: without them, the compiler asks for
/// a conformance to `FieldValue`, which does not make a relation.
extension KeyMapping {
  /// Unavailable: the value of a to-one relation is a ``MappedModel``, a
  /// ``ModelReference``, or an optional of either.
  @_disfavoredOverload
  @available(
    *, unavailable,
    message:
      "the value of `.toOne` is a `MappedModel`, a `ModelReference`, or an optional of either; declare a mapping for the type, or use `.key`"
  )
  public static func toOne(
    _ name: String,
    _ keyPath: any KeyPath<Model, Value> & Sendable,
    json path: String? = nil,
    alternatives paths: [String] = [],
    inverse: String? = nil,
    whenTargetIsDeleted targetRule: DeleteRule? = nil,
    whenThisIsDeleted deleteRule: DeleteRule? = nil,
    _ traits: KeyTraits...
  ) -> Self {
    unmapped(name, keyPath)
  }

  /// Unavailable: `onDelete:` does not say which of the two rows is deleted.
  @available(
    *, unavailable,
    message:
      "use `whenTargetIsDeleted:` for what happens to this row when the related row is deleted, as `ON DELETE` in SQL, or `whenThisIsDeleted:` for what happens to the related row when this row is deleted, as the delete rule in Core Data"
  )
  public static func toOne(
    _ name: String,
    _ keyPath: any KeyPath<Model, Value> & Sendable,
    json path: String? = nil,
    alternatives paths: [String] = [],
    inverse: String? = nil,
    onDelete deleteRule: DeleteRule,
    _ traits: KeyTraits...
  ) -> Self {
    unmapped(name, keyPath)
  }

  /// Unavailable: the value of a to-many relation is an array or a set of a
  /// ``MappedModel`` or of a ``ModelReference``.
  @_disfavoredOverload
  @available(
    *, unavailable,
    message:
      "the value of `.toMany` is an array or a set of a `MappedModel` or of a `ModelReference`; declare a mapping for the type, or use `.key`"
  )
  public static func toMany(
    _ name: String,
    _ keyPath: any KeyPath<Model, Value> & Sendable,
    json path: String? = nil,
    alternatives paths: [String] = [],
    default defaultValue: Value? = nil,
    inverse: String? = nil,
    onDelete deleteRule: DeleteRule? = nil,
    count: ClosedRange<Int>? = nil,
    linkPolicy: LinkPolicy = .replace,
    _ traits: KeyTraits...
  ) -> Self {
    unmapped(name, keyPath)
  }

  private static func unmapped(
    _ name: String, _ keyPath: any KeyPath<Model, Value> & Sendable
  ) -> Self {
    let problem = "`\(Value.self)` is not a model"
    let form = Transform<Value>(
      .null, problems: [problem],
      read: { _, _ in throw MappingError(.invalidDeclaration, found: problem) },
      write: { _, _, _ in throw MappingError(.invalidDeclaration, found: problem) })
    return key(name, keyPath, form)
  }
}
