extension Mapping {
  /// The mapping, refusing values of a key that a condition does not hold for.
  ///
  /// Values are checked when they are read, a default too, when a store saves
  /// them, and by ``validated(_:)``. The validations and repairs of a key run in the order
  /// in which they are declared.
  ///
  /// ```swift
  /// static let mapping = Mapping("Episode", Episode.init, …)
  ///   .validating(\.title, "text that is not empty") { !$0.isEmpty }
  /// ```
  ///
  /// - Parameters:
  ///   - keyPath: The property of the key.
  ///   - expectation: What is expected, for the message of a
  ///     ``MappingError`` of code ``MappingError/Code/failedValidation``.
  ///   - isValid: Whether a value is valid. What it throws is the error's
  ///     ``MappingError/underlying``.
  public func validating<Value: Sendable>(
    _ keyPath: KeyPath<Model, Value>, _ expectation: String,
    _ isValid: @escaping @Sendable (Value) throws -> Bool
  ) -> Self {
    adding(
      .validation(expectation: expectation) { held in
        try (held as? ValueBox<Value>).map { try isValid($0.value) } ?? false
      }, to: keyPath)
  }

  /// The mapping, with each value of a key that is read or saved in a store
  /// replaced by what a function makes of it.
  ///
  /// ```swift
  /// .repairing(\.title) { $0.isEmpty ? "untitled" : $0 }
  /// ```
  public func repairing<Value: Sendable>(
    _ keyPath: KeyPath<Model, Value>, _ repair: @escaping @Sendable (Value) -> Value
  ) -> Self {
    adding(
      .repair { held in (held as? ValueBox<Value>).map { ValueBox(value: repair($0.value)) } ?? held
      },
      to: keyPath)
  }

  /// The mapping, refusing models that a condition does not hold for.
  ///
  /// Models are checked when they are read, after their keys, when a store saves
  /// them, and by ``validated(_:)``.
  ///
  /// - Parameters:
  ///   - expectation: What is expected, for the message of a
  ///     ``MappingError`` of code ``MappingError/Code/failedValidation``.
  ///   - isValid: Whether a model is valid. What it throws is the error's
  ///     ``MappingError/underlying``.
  public func validating(
    _ expectation: String, _ isValid: @escaping @Sendable (Model) throws -> Bool
  ) -> Self {
    adding { model in
      var failure = MappingError(.failedValidation, expected: expectation)
      do {
        if try isValid(model) { return model }
      } catch {
        failure.underlying = error
      }
      throw failure
    }
  }

  /// The mapping, with each model that is read or saved in a store replaced by
  /// what a function makes of it.
  public func repairing(_ repair: @escaping @Sendable (Model) -> Model) -> Self {
    adding(repair)
  }

  /// The mapping without validations and repairs.
  package var withoutRules: Self {
    var mapping = self
    mapping.hasRules = false
    mapping.modelRules = []
    for index in mapping.fields.indices { mapping.fields[index].rules = [] }
    return mapping
  }

  private func adding(_ rule: @escaping @Sendable (Model) throws -> Model) -> Self {
    var mapping = self
    mapping.modelRules.append(rule)
    mapping.hasRules = true
    return mapping
  }

  private func adding(_ rule: FieldRule, to keyPath: PartialKeyPath<Model>) -> Self {
    var mapping = changing(keyPath) { $0.rules.append(rule) }
    mapping.hasRules = true
    return mapping
  }

  /// The mapping with one of its keys changed. A property that is no key is an
  /// issue.
  func changing(
    _ keyPath: PartialKeyPath<Model>, _ change: (inout MappedField<Model>) -> Void
  ) -> Self {
    var mapping = self
    if let index = index(of: keyPath) {
      change(&mapping.fields[index])
    } else {
      mapping.declaredIssues.append(DeclarationIssue("`\(keyPath)` has a rule and is no key"))
    }
    return mapping
  }
}
