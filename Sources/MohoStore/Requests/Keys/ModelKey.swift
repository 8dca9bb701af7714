public import MohoMapping

/// A key of a model in a request, or a value that is calculated from keys.
///
/// The key of a relationship to one has the other model's keys as its members;
/// that of a relationship to many asks about the other models by ``any(_:)``,
/// ``all(_:)``, ``none(_:)`` and ``count``:
///
/// ```swift
/// request.filter { $0.podcast.isActive == true && $0.chapters.any { $0.title == "Intro" } }
/// ```
///
/// Where a method hides a property of the other model, the subscript has the
/// key, as in `$0.podcast[\.count]`.
@dynamicMemberLookup
public struct ModelKey<Value>: RequestOperand {
  /// The key, or the calculation.
  public let operand: Operand
  /// What the key writes for a value.
  private let content: @Sendable (Any) throws -> FieldContent

  /// A calculated value.
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

  /// The name of the key, of which a calculation has none.
  var name: KeyName {
    if case .key(let name) = operand.kind { return name }
    return KeyName(["\(operand)"], scope: .level(0), isStored: false)
  }

  /// A constant in the form that the key gives it.
  func constant(_ value: some FieldValue) -> Operand {
    do {
      return .constant(try content(value))
    } catch {
      return .invalid("\(error)")
    }
  }
}

extension ModelKey where Value: RelatedValue {
  /// A key of the row that the relationship leads to; nil where it leads to
  /// none.
  public subscript<Member>(
    dynamicMember keyPath: KeyPath<Value.RelatedModel, Member>
  ) -> ModelKey<Member> {
    ModelKeys<Value.RelatedModel>(name)[dynamicMember: keyPath]
  }

  /// A key of the row that the relationship leads to; nil where it leads to
  /// none.
  public subscript<Member>(
    _ keyPath: KeyPath<Value.RelatedModel, Member>
  ) -> ModelKey<Member> {
    ModelKeys<Value.RelatedModel>(name)[dynamicMember: keyPath]
  }

  /// Whether the relationship leads to the row that a reference refers to.
  public func isRow(_ reference: Reference<Value.RelatedModel>) -> Filter {
    ModelKeys<Value.RelatedModel>(name).isRow(reference)
  }

  /// Whether the relationship leads to the row that has an identity.
  public func isRow(identity: Int64) -> Filter { .row(name, .identity(identity)) }
}

extension ModelKey where Value: RelatedValues {
  /// Whether at least one of the related rows meets a condition.
  public func any(_ condition: (ModelKeys<Value.RelatedElement>) -> Filter) -> Filter {
    related(.any, condition)
  }

  /// Whether each of the related rows meets a condition; so it is where there
  /// are none.
  public func all(_ condition: (ModelKeys<Value.RelatedElement>) -> Filter) -> Filter {
    related(.all, condition)
  }

  /// Whether none of the related rows meets a condition.
  public func none(_ condition: (ModelKeys<Value.RelatedElement>) -> Filter) -> Filter {
    related(.none, condition)
  }

  /// The number of related rows.
  public var count: ModelKey<Int> { ModelKey<Int>(.count(name, .always)) }

  /// The number of those related rows that meet a condition.
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
