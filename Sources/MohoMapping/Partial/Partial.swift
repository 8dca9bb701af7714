/// Some of a model's keys with their values: what an update says, and what it
/// does not.
///
/// A key is absent, or present with a value, which for optional keys may be
/// nil.
///
/// ```swift
/// var changes = Partial<Episode>()
/// changes[\.title] = "Basalt"
/// changes[\.summary] = .some(nil)
/// let episode = changes.applied(to: episode)
/// ```
public struct Partial<Model: MappedModel>: Sendable {
  var values: [Int: any AnyValueBox] = [:]

  /// Makes a partial model without any key.
  public init() {}

  /// Makes the partial model that leads from one model to another: it has the
  /// keys whose values differ, and those that it has to have besides, unless
  /// none differs. Transient properties are left out.
  ///
  /// The body of a request that says what has changed, and of which model:
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
  ///   - old: The model as the other side knows it.
  ///   - new: The model as it is.
  ///   - keyPaths: The keys that are present even where they do not differ, such
  ///     as the unique key.
  public init(from old: Model, to new: Model, including keyPaths: PartialKeyPath<Model>...) {
    let mapping = Model.mapping
    let changed = mapping.changedIndexes(from: old, to: new)
    guard !changed.isEmpty else { return }
    add(changed + mapping.indexes(of: keyPaths), of: new)
  }

  /// Makes the partial model that has every key of a model.
  public init(_ model: Model) {
    add(Array(Model.mapping.keys.indices), of: model)
  }

  /// Makes the partial model that has some keys of a model. Properties that are
  /// no keys of the mapping are left out.
  ///
  /// ```swift
  /// let body = try adapter.data(from: Partial(episode, only: \.title, \.summary))
  /// ```
  public init(_ model: Model, only keyPaths: PartialKeyPath<Model>...) {
    add(Model.mapping.indexes(of: keyPaths), of: model)
  }

  private mutating func add(_ indexes: [Int], of model: Model) {
    let mapping = Model.mapping
    withUnsafePointer(to: model) { pointer in
      for index in indexes where !mapping.keys[index].isTransient {
        values[index] = mapping.fields[index].value(pointer)
      }
    }
  }

  /// Whether no key is present.
  public var isEmpty: Bool { values.isEmpty }

  /// The keys that are present, in declaration order.
  public var keys: [MappingKey] { values.keys.sorted().map { Model.mapping.keys[$0] } }

  /// Whether a key is present.
  public func contains(_ keyPath: PartialKeyPath<Model>) -> Bool {
    Model.mapping.index(of: keyPath).map { values[$0] != nil } ?? false
  }

  /// The value of a key, nil where the key is absent. An optional key that is
  /// present with nil has the value `.some(nil)`.
  ///
  /// Setting nil makes the key absent. A property that is no key of the
  /// mapping is never present.
  public subscript<Value: Sendable>(keyPath: KeyPath<Model, Value>) -> Value? {
    get {
      let held = Model.mapping.index(of: keyPath).flatMap { values[$0] }
      return (held as? ValueBox<Value>)?.value
    }
    set {
      let mapping = Model.mapping
      guard let index = mapping.index(of: keyPath) else { return }
      for index in mapping.indexes(changingWith: index) {
        values[index] = newValue.map { ValueBox(value: $0) }
      }
    }
  }

  /// A model with the values of the keys that are present.
  public func applied(to model: Model) -> Model {
    values.isEmpty ? model : Model.mapping.replacing(values, in: model)
  }

  /// The partial model without some keys.
  public func removing(_ keyPaths: PartialKeyPath<Model>...) -> Partial {
    var partial = self
    for index in Model.mapping.indexes(of: keyPaths) { partial.values[index] = nil }
    return partial
  }

  /// The partial model with the keys of another, which go before its own.
  public func merging(_ other: Partial) -> Partial {
    var partial = self
    partial.values.merge(other.values) { $1 }
    return partial
  }
}

extension Mapping {
  /// The positions of the keys that key paths read, and of those that change
  /// with them.
  fileprivate func indexes(of keyPaths: [PartialKeyPath<Model>]) -> [Int] {
    keyPaths.compactMap(index(of:)).flatMap { Array(indexes(changingWith: $0)) }
  }
}

extension Partial: CustomStringConvertible {
  /// The keys that are present with their values, in declaration order.
  public var description: String {
    let mapping = Model.mapping
    let fields = values.keys.sorted().map { index in
      let recorder = FieldRecorder()
      if let held = values[index] {
        try? mapping.fields[index].writeValue(held, recorder, index)
      }
      return "\(mapping.keys[index].name): \(recorder.contents.first ?? .null)"
    }
    return "\(mapping.name)(\(fields.joined(separator: ", ")))"
  }
}
