extension Mapping {
  /// Returns a mapping that validates the values of a key.
  ///
  /// Values are validated when they are read, including defaults, when a store
  /// saves them, and by ``validated(_:)``. The validations and repairs of a key
  /// are applied in declaration order.
  ///
  /// ```swift
  /// static let mapping = Mapping("Episode", Episode.init, …)
  ///   .validating(\.title, "text that is not empty") { !$0.isEmpty }
  /// ```
  ///
  /// - Parameters:
  ///   - keyPath: The property of the key.
  ///   - expectation: The expected value, for the message of the
  ///     ``MappingError`` with code ``MappingError/Code/failedValidation``.
  ///   - isValid: Whether a value is valid. If it throws, its error becomes
  ///     ``MappingError/underlying``.
  public func validating<Value: Sendable>(
    _ keyPath: KeyPath<Model, Value>, _ expectation: String,
    _ isValid: @escaping @Sendable (Value) throws -> Bool
  ) -> Self {
    adding(
      .validation(expectation: expectation) { box in
        try (box as? ValueBox<Value>).map { try isValid($0.value) } ?? false
      }, to: keyPath)
  }

  /// Returns a mapping that replaces values of a key when they are read or
  /// saved in a store.
  ///
  /// ```swift
  /// .repairing(\.title) { $0.isEmpty ? "untitled" : $0 }
  /// ```
  public func repairing<Value: Sendable>(
    _ keyPath: KeyPath<Model, Value>, _ repair: @escaping @Sendable (Value) -> Value
  ) -> Self {
    adding(
      .repair { box in
        (box as? ValueBox<Value>).map { ValueBox(value: repair($0.value)) } ?? box
      }, to: keyPath)
  }

  /// Returns a mapping that validates whole models.
  ///
  /// Models are validated after their keys when they are read, when a store
  /// saves them, and by ``validated(_:)``.
  ///
  /// - Parameters:
  ///   - expectation: The expected model, for the message of the
  ///     ``MappingError`` with code ``MappingError/Code/failedValidation``.
  ///   - isValid: Whether a model is valid. If it throws, its error becomes
  ///     ``MappingError/underlying``.
  public func validating(
    _ expectation: String, _ isValid: @escaping @Sendable (Model) throws -> Bool
  ) -> Self {
    adding(
      .validation { model in
        var failure = MappingError(.failedValidation, expected: expectation)
        do {
          if try isValid(model) { return }
        } catch {
          failure.underlying = error
        }
        throw failure
      })
  }

  /// Returns a mapping that replaces models when they are read or saved in a
  /// store.
  public func repairing(_ repair: @escaping @Sendable (Model) -> Model) -> Self {
    adding(.repair(repair))
  }

  /// The mapping without validations and repairs.
  package var withoutRules: Self {
    var mapping = self
    mapping.parts.hasRules = false
    mapping.parts.modelRules = []
    mapping.parts.ruledFields = []
    for index in mapping.fields.indices { mapping.parts.fields[index].rules = [] }
    return mapping
  }

  private func adding(_ rule: ModelRule<Model>) -> Self {
    var mapping = self
    mapping.parts.modelRules.append(rule)
    mapping.parts.hasRules = true
    return mapping
  }

  private func adding(_ rule: FieldRule, to keyPath: PartialKeyPath<Model>) -> Self {
    var mapping = changing(keyPath) { $0.rules.append(rule) }
    mapping.parts.ruledFields = mapping.fields.enumerated().compactMap { RuledField($1, at: $0) }
    mapping.parts.hasRules = true
    return mapping
  }

  /// Returns a mapping with a change to one key. If the property is not a key,
  /// the mapping has an issue.
  func changing(
    _ keyPath: PartialKeyPath<Model>, _ change: (inout MappedField<Model>) -> Void
  ) -> Self {
    var mapping = self
    if let index = index(of: keyPath) {
      change(&mapping.parts.fields[index])
    } else {
      mapping.parts.declaredIssues.append(
        DeclarationIssue("\(propertyText(keyPath)) has a rule but is not a key"))
    }
    return mapping
  }
}
