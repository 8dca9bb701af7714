extension Mapping {
  /// The mapping, whose values of a key a function makes of the stored and the
  /// incoming one when models are merged.
  ///
  /// ```swift
  /// .merging(\.playCount) { stored, incoming in stored + incoming }
  /// ```
  public func merging<Value: Sendable>(
    _ keyPath: any KeyPath<Model, Value> & Sendable,
    _ merge: @escaping @Sendable (_ stored: Value, _ incoming: Value) -> Value
  ) -> Self {
    changing(keyPath) { field in
      field.merge = { stored, incoming in
        ValueBox(value: merge(stored[keyPath: keyPath], incoming[keyPath: keyPath]))
      }
    }
  }

  /// The mapping, whose values of a key a policy chooses when models are
  /// merged. Without a policy, the incoming value stays, nil too.
  public func merging<Value: Sendable>(
    _ keyPath: any KeyPath<Model, Value> & Sendable, _ policy: MergePolicy
  ) -> Self {
    merging(keyPath) { stored, incoming in
      switch policy {
      case .incoming: incoming
      case .stored: stored
      case .incomingUnlessNil: (incoming as? any OptionalValue)?.isNil == true ? stored : incoming
      }
    }
  }

  /// The mapping, whose values of a key come from the model that is newer by
  /// another key when models are merged; from the incoming one where both are
  /// equally new.
  public func merging<Value: Sendable, Age: Comparable & Sendable>(
    _ keyPath: any KeyPath<Model, Value> & Sendable,
    newerBy age: any KeyPath<Model, Age> & Sendable
  ) -> Self {
    changing(keyPath) { field in
      field.merge = { stored, incoming in
        let isNewer = stored[keyPath: age] > incoming[keyPath: age]
        return ValueBox(value: (isNewer ? stored : incoming)[keyPath: keyPath])
      }
    }
  }

  /// Whether a key has a policy for merges, those of inlined models and of
  /// variants included.
  package var hasMerges: Bool {
    var visited: Set<ObjectIdentifier> = []
    return hasMerges(besides: &visited)
  }

  /// - Parameter visited: The models whose keys need not be searched.
  private func hasMerges(besides visited: inout Set<ObjectIdentifier>) -> Bool {
    func search<Inner: MappedModel>(_ model: Inner.Type) -> Bool {
      visited.insert(ObjectIdentifier(model)).inserted
        && Inner.mapping.hasMerges(besides: &visited)
    }
    if fields.contains(where: { $0.merge != nil }) { return true }
    for model in mappingKeys.inlined.values.joined() where search(model) { return true }
    return false
  }

  /// Merges an incoming model into a stored one by the policies of the keys.
  ///
  /// Without policies, the result is the incoming model. An inlined model, and
  /// the model of a variant, is merged by its own policies where both models
  /// have one, unless its key has a policy. A nested model of
  /// ``KeyMapping/key(_:_:json:alternatives:default:_:)`` is one value.
  /// Transient properties are the incoming model's.
  public func merge(_ incoming: Model, into stored: Model) -> Model {
    merged(incoming, into: stored) ?? incoming
  }

  /// The merged model, or nil where it is the incoming one.
  func merged(_ incoming: Model, into stored: Model) -> Model? {
    var values: [Int: any AnyValueBox] = [:]
    for (index, field) in fields.enumerated() {
      values[index] = (field.merge ?? field.mergeInside)?(stored, incoming)
    }
    return values.isEmpty ? nil : replacing(values, in: incoming)
  }
}

/// Which value of a key stays when models are merged.
public enum MergePolicy: Sendable, Hashable {
  /// The incoming value, nil too.
  case incoming
  /// The stored value.
  case stored
  /// The incoming value, unless it is nil.
  case incomingUnlessNil
}

/// Optionals, whatever they wrap.
private protocol OptionalValue {
  var isNil: Bool { get }
}

extension Optional: OptionalValue {
  fileprivate var isNil: Bool {
    if case .none = self { true } else { false }
  }
}
