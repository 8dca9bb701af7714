extension Mapping {
  /// Returns a mapping that merges the values of a key with a function.
  ///
  /// ```swift
  /// .merging(\.playCount) { stored, incoming in stored + incoming }
  /// ```
  public func merging<Value: Sendable>(
    _ keyPath: any KeyPath<Model, Value> & Sendable,
    _ merge: @escaping @Sendable (_ stored: Value, _ incoming: Value) -> Value
  ) -> Self {
    merging(keyPath, inColumn: nil, merge)
  }

  /// Returns a mapping that merges the values of a key with a policy. The
  /// default is ``MergePolicy/incoming``.
  public func merging<Value: Sendable>(
    _ keyPath: any KeyPath<Model, Value> & Sendable, _ policy: MergePolicy
  ) -> Self {
    merging(keyPath, inColumn: policy.forColumn(of: Value.self)) { stored, incoming in
      switch policy {
      case .incoming: return incoming
      case .stored: return stored
      case .incomingUnlessNil:
        let optional = incoming as? any AnyOptionalValue
        return optional != nil && optional?.wrappedValue == nil ? stored : incoming
      }
    }
  }

  private func merging<Value: Sendable>(
    _ keyPath: any KeyPath<Model, Value> & Sendable, inColumn columnPolicy: MergePolicy?,
    _ merge: @escaping @Sendable (_ stored: Value, _ incoming: Value) -> Value
  ) -> Self {
    changing(keyPath) { field in
      field.merge = FieldMerge(columnPolicy: columnPolicy) { stored, incoming in
        ValueBox(value: merge(stored[keyPath: keyPath], incoming[keyPath: keyPath]))
      }
    }
  }

  /// Returns a mapping that takes the value of a key from the model with the
  /// greater value of another key, or from the incoming model if these are
  /// equal.
  public func merging<Value: Sendable, Age: Comparable & Sendable>(
    _ keyPath: any KeyPath<Model, Value> & Sendable,
    newerBy age: any KeyPath<Model, Age> & Sendable
  ) -> Self {
    changing(keyPath) { field in
      field.merge = FieldMerge { stored, incoming in
        let isNewer = stored[keyPath: age] > incoming[keyPath: age]
        return ValueBox(value: (isNewer ? stored : incoming)[keyPath: keyPath])
      }
    }
  }

  /// Whether a key has a merge policy, including the keys of inlined models and
  /// variants.
  package var hasMerges: Bool {
    var visited: Set<ObjectIdentifier> = []
    return hasMerges(besides: &visited)
  }

  private func hasMerges(besides visited: inout Set<ObjectIdentifier>) -> Bool {
    func search<Inner: MappedModel>(_ model: Inner.Type) -> Bool {
      visited.insert(ObjectIdentifier(model)).inserted
        && Inner.mapping.hasMerges(besides: &visited)
    }
    if fields.contains(where: { $0.merge != nil }) { return true }
    for model in fieldKeys.inlined.values.joined() where search(model) { return true }
    return false
  }

  /// The policies of keys other than ``MergePolicy/incoming``, by the indexes of the keys,
  /// if models are merged in no other way, so that a database can merge them without reading
  /// the stored model. Nil if it cannot.
  package var columnMerges: [Int: MergePolicy]? {
    if !hasMerges { return [:] }
    // Rules are about the merged model.
    guard parts.modelRules.isEmpty, fields.allSatisfy({ $0.merge == nil || $0.rules.isEmpty })
    else {
      return nil
    }
    return columnPolicies
  }

  /// As ``columnMerges``, but also if the merged model must be validated. Nil if it may have
  /// to be repaired.
  package var validatedColumnMerges: [Int: MergePolicy]? {
    let repairsModels = parts.modelRules.contains { if case .repair = $0 { true } else { false } }
    return repairsModels || fields.contains(where: \.hasRepair) ? nil : columnPolicies
  }

  private var columnPolicies: [Int: MergePolicy]? {
    // All keys of a cluster have one value.
    guard !fieldKeys.isCluster, !hasMergesInside else { return nil }
    var policies: [Int: MergePolicy] = [:]
    for (index, field) in fields.enumerated() {
      guard let merge = field.merge else { continue }
      guard let policy = merge.columnPolicy else { return nil }
      if policy != .incoming { policies[index] = policy }
    }
    return policies
  }

  private var hasMergesInside: Bool {
    func search<Inner: MappedModel>(_ model: Inner.Type) -> Bool { Inner.mapping.hasMerges }
    return fieldKeys.inlined.values.joined().contains { search($0) }
  }

  /// Merges an incoming model into a stored model by the policies of the keys.
  ///
  /// A key without a policy has the incoming value. If both models have an
  /// inlined model or the same variant, these are merged by their own policies,
  /// unless their key has a policy. A nested model of
  /// `KeyMapping.key(_:_:json:alternatives:default:_:)` is a single value.
  /// Transient properties are those of the incoming model.
  public func merge(_ incoming: Model, into stored: Model) -> Model {
    merged(incoming, into: stored) ?? incoming
  }

  /// Returns the merged model, or nil if it is the incoming model.
  func merged(_ incoming: Model, into stored: Model) -> Model? {
    var values: [Int: any AnyValueBox] = [:]
    for (index, field) in fields.enumerated() {
      values[index] = (field.merge?.value ?? field.mergeInside)?(stored, incoming)
    }
    return values.isEmpty ? nil : replacing(values, in: incoming)
  }
}

/// Which value of a key a merged model has.
public enum MergePolicy: Sendable, Hashable {
  /// The incoming value, also if it is nil.
  case incoming
  /// The stored value.
  case stored
  /// The incoming value, or the stored value if the incoming value is nil.
  case incomingUnlessNil

  /// The policy for the column of a key, in which nil and no other value is null. Nil if
  /// null can be another value.
  fileprivate func forColumn<Value>(of value: Value.Type) -> MergePolicy? {
    guard self == .incomingUnlessNil else { return self }
    guard let optional = value as? any AnyOptionalValue.Type else { return .incoming }
    let wrapped = optional.wrappedType
    return wrapped == JSONValue.self || wrapped is any AnyOptionalValue.Type ? nil : self
  }
}
