public import MohoMapping

extension ManagedRow {
  /// The value of an attribute; JSON text of one with structure, such as an
  /// array.
  ///
  /// - Throws: ``StoreError`` where the entity has no such attribute, or the row
  ///   cannot be read.
  public subscript(key: String) -> FieldContent {
    get throws {
      let context = try requiredContext
      return try context.requireValues(handle).attributes[attribute(key, in: context)]
    }
  }

  /// The value of an attribute in a type.
  ///
  /// - Throws: ``StoreError`` as the subscript, `MappingError` where the value is
  ///   none of the type.
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

  /// The value of a model's property.
  ///
  /// - Throws: As ``value(_:as:)``, and ``StoreError`` where the property is no
  ///   attribute of the entity.
  public subscript<Model: MappedModel, Value: Sendable>(keyPath: KeyPath<Model, Value>) -> Value {
    get throws {
      let key = try name(of: keyPath)
      return try Model.mapping.value(of: keyPath, from: self[key])
    }
  }

  /// Gives an attribute a value.
  ///
  /// Whether the value is one that the attribute can hold is found out when the
  /// context is saved.
  ///
  /// - Throws: ``StoreError`` where the entity has no such attribute, or the row
  ///   cannot be read or is deleted.
  public func set(_ key: String, to value: FieldContent) throws {
    let context = try requiredContext
    let index = try attribute(key, in: context)
    let type = entity.attributes[index].type
    try change(in: context) {
      context.graph.setValue(value.normalized(for: type), of: handle, attribute: index)
    }
  }

  /// Gives an attribute a value of a type.
  ///
  /// - Throws: As ``set(_:to:)-(_,FieldContent)``, and `MappingError` where the
  ///   value cannot be written.
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

  /// Gives an attribute the value of a model's property.
  ///
  /// - Throws: As ``set(_:to:)-(_,FieldContent)``, and `MappingError` where the
  ///   mapping cannot write the value.
  public func set<Model: MappedModel, Value: Sendable>(
    _ keyPath: KeyPath<Model, Value>, to value: Value
  ) throws {
    let key = try name(of: keyPath)
    guard let index = Model.mapping.index(of: keyPath) else { return }
    let mapping = Model.mapping
    let content = try mapping.content(of: value, forKeyAt: index, path: FieldPath([]))
    try set(key, to: mapping.storedContent(content, at: index))
  }

  /// The names of the keys that have changed since the row was read, in
  /// declaration order, links too; of a new row, those that differ from the
  /// defaults.
  public var changedKeys: [String] {
    (try? requiredContext)?.graph.changedKeys(of: handle) ?? []
  }

  /// The values of the attributes that have changed since the row was read; of
  /// a new row, those that differ from the defaults.
  public var changedValues: [String: FieldContent] {
    let changed = Set(changedKeys)
    guard let values = (try? requiredContext)?.graph[handle].current else { return [:] }
    return named(values).filter { changed.contains($0.key) }
  }

  /// The values of all attributes as the row was read; none of a row that is
  /// not stored.
  ///
  /// - Throws: ``StoreError`` where the row cannot be read.
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

  private func name<Model: MappedModel>(of keyPath: PartialKeyPath<Model>) throws -> String {
    guard Model.mapping.name == entity.name, let key = Model.mapping.key(for: keyPath),
      key.isStored,
      entity.attribute(key.name) != nil
    else {
      throw StoreError(
        .invalidRequest, subject: "`\(entity.name)`",
        reason: "`\(keyPath)` is no attribute of the entity")
    }
    return key.name
  }

  private func attribute(_ key: String, in context: EditingContext) throws -> Int {
    guard let index = context.graph.entity(of: handle).attribute(key) else {
      throw StoreError(
        .invalidRequest, subject: "`\(entity.name)`",
        reason: "`\(key)` is no attribute of the entity",
        suggestion: entity.relationship(key) == nil
          ? proposal(for: key, among: entity.attributes.map(\.name))
          : "use `related` or `rows` for relationships")
    }
    return index
  }

  /// Changes the row, which must be there.
  func change(in context: EditingContext, _ body: () throws -> Void) throws {
    _ = try context.requireValues(handle)
    guard context.graph[handle].isAlive else {
      throw StoreError(
        .invalidRequest, subject: "\(context.graph[handle].identity)",
        reason: "the row is \(state), and cannot be changed")
    }
    try context.operation(body)
  }
}
