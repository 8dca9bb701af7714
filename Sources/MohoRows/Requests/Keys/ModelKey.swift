public import MohoMapping

/// A key of a model in a request, or a value that is calculated from keys.
///
/// A key of a to-one relationship has the keys of the related model as members,
/// and a key of a nested or inlined model has the keys of that model.
/// A key of a to-many relationship has `any(_:)`, `all(_:)`, `none(_:)`
/// and ``count`` for the related models:
///
/// ```swift
/// request.filter { $0.podcast.isActive == true && $0.chapters.any { $0.title == "Intro" } }
/// ```
///
/// If a method has the same name as a property of the related model, access the
/// key with the subscript, as in `$0.podcast[\.count]`.
@dynamicMemberLookup
public struct ModelKey<Value>: RequestOperand {
  /// The key or the calculation as an operand.
  public let operand: Operand
  /// Converts a value into the form that the key stores.
  private let content: @Sendable (Any) throws -> FieldContent

  /// Creates a key for a calculated value.
  init(_ operand: Operand) {
    self.operand = operand
    content = { value in
      guard let value = value as? any FieldValue else {
        throw MappingError(.invalidType, found: "\(type(of: value))", expected: "value of a key")
      }
      return try FieldRecorder.content(of: value)
    }
  }

  init<Model: MappedModel>(
    _ name: KeyName, _ keyPath: PartialKeyPath<Model>, of model: Model.Type
  ) {
    operand = .key(name)
    let index = Model.mapping.index(of: keyPath)
    content = { value in
      guard let index else { return .null }
      if Model.mapping.keys[index].relation != nil {
        return try (value as? any RelatedValue)?.relatedKey ?? .null
      }
      return try Model.mapping.content(of: value, forKeyAt: index)
    }
  }

  /// The path of the key. A calculated value has a path that requests reject.
  var name: KeyName {
    if case .key(let name) = operand.kind { return name }
    return .calculated(operand)
  }

  /// Returns a constant in the form that the key stores.
  func constant(_ value: some FieldValue) -> Operand {
    do {
      return .constant(try content(value))
    } catch {
      return .invalid("\(error)")
    }
  }
}

extension ModelKey where Value: RelatedValue {
  /// A key of the related row or of the nested model. Its value is nil if there
  /// is no related row, or if the nested model is nil.
  public subscript<Member>(
    dynamicMember keyPath: KeyPath<Value.RelatedModel, Member>
  ) -> ModelKey<Member> {
    ModelKeys<Value.RelatedModel>(name)[dynamicMember: keyPath]
  }

  /// A key of the related row or of the nested model. Its value is nil if there
  /// is no related row, or if the nested model is nil.
  public subscript<Member>(
    _ keyPath: KeyPath<Value.RelatedModel, Member>
  ) -> ModelKey<Member> {
    ModelKeys<Value.RelatedModel>(name)[dynamicMember: keyPath]
  }

  /// A filter that matches rows that are related to the referenced row.
  public func isRow(_ reference: ModelReference<Value.RelatedModel>) -> Filter {
    ModelKeys<Value.RelatedModel>(name).isRow(reference)
  }

  /// A filter that matches rows that are related to the row with an identity.
  public func isRow(identity: Int64) -> Filter { .row(name, .identity(identity)) }
}

extension ModelKey where Value: RelatedValues {
  /// A filter that matches rows where at least one related row satisfies a
  /// condition.
  public func any(_ condition: (ModelKeys<Value.RelatedElement>) -> Filter) -> Filter {
    related(.any, condition)
  }

  /// A filter that matches rows where all related rows satisfy a condition.
  /// Rows without related rows match.
  public func all(_ condition: (ModelKeys<Value.RelatedElement>) -> Filter) -> Filter {
    related(.all, condition)
  }

  /// A filter that matches rows where no related row satisfies a condition.
  public func none(_ condition: (ModelKeys<Value.RelatedElement>) -> Filter) -> Filter {
    related(.none, condition)
  }

  /// A filter that matches rows without related rows.
  public var isEmpty: Filter { none { _ in .always } }

  /// The number of related rows.
  public var count: ModelKey<Int> { ModelKey<Int>(.count(name, .always)) }

  /// The number of related rows that satisfy a condition.
  public func count(
    where condition: (ModelKeys<Value.RelatedElement>) -> Filter
  ) -> ModelKey<Int> {
    ModelKey<Int>(.count(name, .scoped { condition(ModelKeys($0)) }))
  }

  private func related(
    _ quantifier: Filter.Quantifier,
    _ condition: (ModelKeys<Value.RelatedElement>) -> Filter
  ) -> Filter {
    .related(name, quantifier, .scoped { condition(ModelKeys($0)) })
  }
}
