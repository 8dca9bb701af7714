/// The values of some keys of a model, such as those that an update changes.
///
/// Each key is absent or present. A present optional key can have the value
/// nil.
///
/// ```swift
/// var changes = Partial<Episode>()
/// changes[\.title] = "Basalt"
/// changes[\.summary] = nil
/// let episode = changes.applied(to: episode)
/// ```
public struct Partial<Model: MappedModel>: Sendable {
  var values: [Int: any AnyValueBox] = [:]
  /// The changes of unknown members. The value of their key contains only the
  /// members that the changes assign.
  var members: PartialMembers?
  /// The text of the first property that was set or included and is not a key. Every use
  /// that can throw reports it.
  private(set) var unmappedProperty: String?

  /// Creates a partial model without keys.
  public init() {}

  /// Creates the difference between two models: the keys whose values differ.
  /// If there are any, the additional keys are included as well. Transient
  /// properties are ignored.
  ///
  /// For example, the body of a request that describes a change:
  ///
  /// ```swift
  /// let change = Partial(from: old, to: new, including: \.id)
  /// if !change.isEmpty {
  ///   request.httpMethod = "PATCH"
  ///   request.httpBody = try adapter.data(from: change)
  ///   // {"id":7,"title":"Basalt","description":null}
  /// }
  /// ```
  ///
  /// - Parameters:
  ///   - old: The model before the change.
  ///   - new: The model after the change.
  ///   - keyPaths: Keys to include even if their values do not differ, such as
  ///     the unique key.
  public init(from old: Model, to new: Model, including keyPaths: PartialKeyPath<Model>...) {
    // A property that is not a key is an error also if no key differs.
    let included = indexes(of: keyPaths)
    let changed = Model.mapping.changedIndexes(from: old, to: new)
    guard !changed.isEmpty else { return }
    add(changed + included, of: new)
    addMembers(from: old, to: new, among: changed)
  }

  /// Creates a partial model with all keys of a model.
  public init(_ model: Model) {
    add(Array(Model.mapping.keys.indices), of: model)
  }

  /// Creates a partial model with some keys of a model. Transient properties are
  /// ignored. A property that is not a key is an error when the partial model is
  /// encoded or saved.
  ///
  /// ```swift
  /// let body = try adapter.data(from: Partial(episode, only: \.title, \.summary))
  /// ```
  public init(_ model: Model, only keyPaths: PartialKeyPath<Model>...) {
    add(indexes(of: keyPaths), of: model)
  }

  private mutating func add(_ indexes: [Int], of model: Model) {
    let mapping = Model.mapping
    withUnsafePointer(to: model) { pointer in
      for index in indexes where !mapping.keys[index].isTransient {
        values[index] = mapping.fields[index].value(pointer)
      }
    }
  }

  /// Returns the indexes of keys and of the keys that change together with them.
  private mutating func indexes(of keyPaths: [PartialKeyPath<Model>]) -> [Int] {
    let mapping = Model.mapping
    for keyPath in keyPaths where mapping.index(of: keyPath) == nil { note(unmapped: keyPath) }
    return mapping.indexes(of: keyPaths)
  }

  private mutating func note(unmapped keyPath: PartialKeyPath<Model>) {
    unmappedProperty = unmappedProperty ?? propertyText(keyPath)
  }

  /// Throws an error if a property that is not a key was set or included.
  func checkProperties() throws {
    guard let unmappedProperty else { return }
    throw MappingError(
      .unknownKey, model: Model.mapping.name, found: "\(unmappedProperty) is not a key")
  }

  /// Whether no key is present. False if a property that is not a key was set.
  public var isEmpty: Bool { values.isEmpty && members == nil && unmappedProperty == nil }

  /// The present keys, in declaration order.
  public var keys: [FieldKey] { values.keys.sorted().map { Model.mapping.keys[$0] } }

  /// Whether a key is present.
  public func contains(_ keyPath: PartialKeyPath<Model>) -> Bool {
    Model.mapping.index(of: keyPath).map { values[$0] != nil } ?? false
  }

  /// The value of a key, or nil if the key is absent. An optional key that is
  /// present with the value nil returns `.some(nil)`.
  ///
  /// A property that is not a key of the mapping is never present. A key that
  /// receives unknown members has those that a merge patch assigns.
  public subscript<Value: Sendable>(keyPath: KeyPath<Model, Value>) -> Value? {
    let box = Model.mapping.index(of: keyPath).flatMap { values[$0] }
    return (box as? ValueBox<Value>)?.value
  }

  // A subscript that could read and write an optional value would take nil for
  // absence. This one is only written, and the one above is only read.
  /// Sets the value of a key. Nil sets an optional key to null, as ``clear(_:)``
  /// does. It is not a value of a required key: the assignment does not compile.
  ///
  /// ```swift
  /// changes[\.title] = "Basalt"
  /// changes[\.summary] = nil  // {"title":"Basalt","description":null}
  /// ```
  ///
  /// To make a key absent, use ``removing(_:)``. To copy keys, use
  /// ``merging(_:)``.
  ///
  /// A property that is not a key cannot be set: encoding the partial model,
  /// saving it and making a model of it throw a ``MappingError`` that names the
  /// property. ``applied(to:)`` ignores it.
  @_disfavoredOverload
  public subscript<Value: Sendable>(keyPath: KeyPath<Model, Value>) -> Value {
    @available(
      *, unavailable,
      message: "an absent key has no value to assign; use `merging(_:)` to copy keys"
    )
    // Never called: its uses do not compile.
    get { fatalError("unavailable") }
    set { set(newValue, at: keyPath) }
  }

  /// Sets the value of an optional key that is written as `.some(nil)` or
  /// `.some(value)`.
  @_disfavoredOverload
  public subscript<Value: Sendable>(keyPath: KeyPath<Model, Value?>) -> PresentValue<Value?> {
    @available(
      *, unavailable,
      message: "an absent key has no value to assign; use `merging(_:)` to copy keys"
    )
    // Never called: its uses do not compile.
    get { fatalError("unavailable") }
    set { set(newValue.value, at: keyPath) }
  }

  /// Sets an optional key to null. A key that is absent remains unchanged when
  /// the partial model is applied or saved. A key that is null is cleared.
  public mutating func clear<Value: Sendable>(_ keyPath: KeyPath<Model, Value?>) {
    set(nil, at: keyPath)
  }

  private mutating func set<Value: Sendable>(_ value: Value, at keyPath: KeyPath<Model, Value>) {
    let mapping = Model.mapping
    guard let index = mapping.index(of: keyPath) else { return note(unmapped: keyPath) }
    for index in mapping.indexes(changingWith: index) {
      values[index] = ValueBox(value: value)
      if members?.index == index { members = nil }
    }
  }

  /// Returns a model with the values of the present keys.
  ///
  /// If the partial model is from a document or a difference, it changes unknown
  /// members one by one, as a merge patch (RFC 7396) does: absent members stay,
  /// and null removes a member.
  public func applied(to model: Model) -> Model {
    let values = members.map { patched(by: $0, model) } ?? values
    return values.isEmpty ? model : Model.mapping.replacing(values, in: model)
  }

  /// Returns the partial model without some keys.
  public func removing(_ keyPaths: PartialKeyPath<Model>...) -> Partial {
    var partial = self
    for index in Model.mapping.indexes(of: keyPaths) {
      partial.values[index] = nil
      if members?.index == index { partial.members = nil }
    }
    return partial
  }

  /// Returns the partial model with the keys whose indexes satisfy a condition.
  package func filter(_ isIncluded: (_ index: Int) -> Bool) -> Partial {
    var partial = self
    partial.values = values.filter { isIncluded($0.key) }
    if let members, !isIncluded(members.index) { partial.members = nil }
    return partial
  }

  /// Returns the keys of both partial models. If a key is present in both, the
  /// value of `other` is used. Changes of unknown members are made in turn.
  public func merging(_ other: Partial) -> Partial {
    var partial = self
    partial.values.merge(other.values) { $1 }
    partial.unmappedProperty = unmappedProperty ?? other.unmappedProperty
    guard let next = other.members else {
      if let members, other.values[members.index] != nil { partial.members = nil }
      return partial
    }
    partial.merge(next, of: other, over: self)
    return partial
  }
}

/// The value of a present key.
public struct PresentValue<Value: Sendable>: Sendable {
  let value: Value

  /// Creates the value of a present key, which can be nil.
  public static func some(_ value: Value) -> PresentValue { PresentValue(value: value) }
}

extension Mapping {
  /// Returns the indexes of keys and of the keys that change together with
  /// them.
  func indexes(of keyPaths: [PartialKeyPath<Model>]) -> [Int] {
    keyPaths.compactMap(index(of:)).flatMap { Array(indexes(changingWith: $0)) }
  }
}

extension Partial: CustomStringConvertible {
  /// The present keys with their values, in declaration order.
  public var description: String {
    let mapping = Model.mapping
    let fields = values.keys.sorted().map { index in
      let content =
        members.flatMap { mapping.content(of: $0, values[index], at: index) }
        ?? values[index].flatMap { mapping.content(of: $0, at: index) }
      return "\(mapping.keys[index].name): \(content ?? .null)"
    }
    return "\(mapping.name)(\(fields.joined(separator: ", ")))"
  }
}
