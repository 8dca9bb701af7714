public import MohoMapping

extension ManagedRow {
  /// The value of an attribute. A structured value such as an array is returned
  /// as JSON text.
  ///
  /// - Throws: A ``StoreError`` if the entity does not have the attribute, or
  ///   if the row cannot be read.
  public subscript(key: String) -> FieldContent {
    get throws {
      let context = try requiredContext
      return try context.requireValues(handle).attributes[attribute(key, in: context)]
    }
  }

  /// Returns the value of an attribute, decoded as a type.
  ///
  /// - Throws: The ``StoreError`` of the subscript, or a `MappingError` if the
  ///   value cannot be decoded.
  public func value<Value: FieldValue>(_ key: String, as type: Value.Type) throws -> Value {
    do {
      return try Value.decode(from: ContentDecoder(stored: [self[key]]), at: 0)
    } catch var error as MappingError {
      error = error.inside(FieldPath([.key(key)]), dropping: 1)
      error.model = error.model ?? entity.name
      error.key = error.key ?? key
      throw error
    }
  }

  /// The value of a model property. The value of a relation has the nested models
  /// or references of the related rows, including unsaved changes.
  ///
  /// - Throws: The errors of ``value(_:as:)``. A ``StoreError`` if the property is
  ///   not a stored key of the entity, or with the code ``StoreError/Code/cycle`` if
  ///   a nested model would contain itself.
  public subscript<Model: MappedModel, Value: Sendable>(keyPath: KeyPath<Model, Value>) -> Value {
    get throws {
      let key = try key(of: keyPath)
      guard key.relation != nil else {
        return try Model.mapping.value(of: keyPath, from: self[key.name])
      }
      let context = try requiredContext
      var reader = RowContents(in: context)
      let content = try reader.contents(of: handle, for: [key])[0] ?? .null
      context.endReading()
      return try Model.mapping.value(of: keyPath, from: content)
    }
  }

  /// Sets the value of an attribute.
  ///
  /// A value of another type is an error. Null and the constraints of the
  /// attribute are checked when the context is saved, so that a row can be
  /// edited step by step.
  ///
  /// - Throws: A `MappingError` of code `invalidType` if the attribute has
  ///   another type, or of code `invalidValue` if the type cannot represent the
  ///   value; a ``StoreError`` if the entity does not have the attribute,
  ///   or if the row has been deleted or cannot be read.
  public func set(_ key: String, to value: FieldContent) throws {
    let context = try requiredContext
    let index = try attribute(key, in: context)
    let attribute = entity.attributes[index]
    let content = context.schema.stored(value, as: attribute.type)
    guard content == .null || attribute.type.holds(content) else {
      let isOfType = ValueType(content) == ValueType(attribute.type)
      throw MappingError(
        isOfType ? .invalidValue : .invalidType, model: entity.name, key: key,
        path: FieldPath([.key(key)]),
        found: value.summary, expected: "\(attribute.type)")
    }
    try change(in: context) {
      context.graph.setValue(content, of: handle, attribute: index)
    }
  }

  /// Encodes a value and sets it as the value of an attribute.
  ///
  /// - Throws: The errors of ``set(_:to:)-(_,FieldContent)``, and a
  ///   `MappingError` if the value cannot be encoded.
  public func set(_ key: String, to value: some FieldValue) throws {
    let path = FieldPath([.key(key)])
    do {
      let content = try FieldRecorder.content(of: value, at: path)
      guard content.hasStructure else { return try set(key, to: content) }
      let text = try StructuredText.text(at: path) { try value.encode(to: $0, at: 0) }
      try set(key, to: .string(text))
    } catch var error as MappingError {
      error.model = error.model ?? entity.name
      error.key = error.key ?? key
      throw error
    }
  }

  /// Sets the value of a model property. The value of a relation sets its links, as
  /// ``ManagedRowAdapter/update(_:from:)`` does.
  ///
  /// - Throws: The errors of ``set(_:to:)-(_,FieldContent)``, and a
  ///   `MappingError` if the mapping cannot encode the value. For a relation, the
  ///   errors of ``ManagedRowAdapter/rows(from:in:)``.
  public func set<Model: MappedModel, Value: Sendable>(
    _ keyPath: KeyPath<Model, Value>, to value: Value
  ) throws {
    let mapping = Model.mapping
    let key = try key(of: keyPath)
    guard key.relation == nil, let index = mapping.index(of: keyPath) else {
      var partial = Partial<Model>()
      partial[keyPath] = value
      return try ManagedRowAdapter().update(self, from: partial)
    }
    let content = try mapping.content(of: value, forKeyAt: index, path: FieldPath([]))
    try set(key.name, to: mapping.storedContent(content, at: index))
  }

  /// The names of the attributes and relationships that have changed since the
  /// row was read, in declaration order. For a new row, the keys that differ
  /// from the defaults.
  public var changedKeys: [String] {
    (try? requiredContext)?.graph.changedKeys(of: handle) ?? []
  }

  /// The current values of the changed attributes. For a new row, the values
  /// that differ from the defaults.
  public var changedValues: [String: FieldContent] {
    let changed = Set(changedKeys)
    guard let values = (try? requiredContext)?.graph[handle].current else { return [:] }
    return named(values).filter { changed.contains($0.key) }
  }

  /// The values of all attributes when the row was read. Empty for a row that
  /// is not stored.
  ///
  /// - Throws: A ``StoreError`` if the row cannot be read.
  public var committedValues: [String: FieldContent] {
    get throws {
      let context = try requiredContext
      if context.graph[handle].isStored { _ = try context.requireValues(handle) }
      return context.graph[handle].base.map { named($0) } ?? [:]
    }
  }

  private func named(_ values: RowValues) -> [String: FieldContent] {
    Dictionary(
      zip(entity.attributes.map(\.name), values.attributes), uniquingKeysWith: { one, _ in one })
  }

  /// Returns the stored key of a model property.
  ///
  /// - Throws: A ``StoreError`` if the entity does not have the key.
  func key<Model: MappedModel>(of keyPath: PartialKeyPath<Model>) throws -> FieldKey {
    let mapping = Model.mapping
    guard mapping.name == entity.name, let key = mapping.key(for: keyPath),
      key.isStored, entity.attribute(key.name) != nil || entity.relationship(key.name) != nil
    else {
      throw StoreError(
        .invalidRequest, subject: "`\(entity.name)`",
        reason: "\(mapping.shown(keyPath)) is not a stored key of the entity")
    }
    return key
  }

  private func attribute(_ key: String, in context: EditingContext) throws -> Int {
    guard let index = context.graph.entity(of: handle).attribute(key) else {
      throw StoreError(
        .invalidRequest, subject: "`\(entity.name)`",
        reason: "`\(key)` is not an attribute of the entity",
        suggestion: entity.relationship(key) == nil
          ? proposal(for: key, among: entity.attributes.map(\.name))
          : "use `relatedRow` or `relatedRows` for relationships")
    }
    return index
  }

  /// Runs a closure that changes the row. Throws if the row has been deleted.
  func change(in context: EditingContext, _ body: () throws -> Void) throws {
    _ = try context.requireValues(handle)
    guard context.graph[handle].isAlive else {
      throw StoreError(
        .invalidRequest, subject: "\(context.graph[handle].identity)",
        reason: "cannot change the row: it is \(state)")
    }
    try context.operation(body)
  }
}
