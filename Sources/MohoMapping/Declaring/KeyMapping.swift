/// One key of a model: its name, the property it maps, and how its value is
/// read and written.
///
/// Key mappings are made by the leading-dot declarations of
/// ``Mapping/init(_:naming:_:_:)``: ``key(_:_:json:alternatives:default:_:)``,
/// ``inlined(_:_:default:)`` and ``transient(_:default:)``.
public struct KeyMapping<Model, Value: Sendable>: Sendable {
  var description: MappingKey
  let keyPath: any KeyPath<Model, Value> & Sendable
  @usableFromInline let read: @Sendable (any FieldDecoder, Int) throws -> Value
  let write: @Sendable (Value, any FieldEncoder, Int) throws -> Void
  let writeProperty: PropertyWriter
  let sample: @Sendable (FieldSample) -> Value?
  let defaultValue: Value?
  /// The model whose keys lie among the others.
  let inlined: (any MappedModel.Type)?
  /// Merges an inlined model by its own policies; nil where the incoming one
  /// stays.
  var mergeInside: (@Sendable (_ stored: Value, _ incoming: Value) -> Value?)?
  /// How values are copied without a model; nil of a computed property, which may
  /// be another value than what was read.
  let copy: KeyCopy?

  @usableFromInline
  init(
    name: String,
    keyPath: any KeyPath<Model, Value> & Sendable,
    source: FieldPath?,
    alternatives: [String] = [],
    hasDeclaredSource: Bool,
    defaultValue: Value?,
    traits: KeyTraits,
    isTransient: Bool = false,
    type: FieldType,
    isOptional: Bool,
    problems: [String] = [],
    inlined: (any MappedModel.Type)? = nil,
    receivesUnknownMembers: Bool = false,
    form: PlainForm? = nil,
    read: @escaping @Sendable (any FieldDecoder, Int) throws -> Value,
    write: @escaping @Sendable (Value, any FieldEncoder, Int) throws -> Void,
    writeProperty: @escaping PropertyWriter,
    sample: @escaping @Sendable (FieldSample) -> Value?
  ) {
    let alternatives = alternatives.map { FieldPath(stringLiteral: $0) }
    var problems = problems
    if source == nil, !alternatives.isEmpty {
      problems.append("only a store holds the key, and alternatives are for documents")
    }
    for case let path? in [source] + alternatives where path.elementPath != nil {
      problems += CollectedDepth.problem(of: path, type: type, sample: sample, write: write)
    }
    self.description = MappingKey(
      name: name,
      source: source,
      alternatives: source == nil ? [] : alternatives,
      hasDeclaredSource: hasDeclaredSource,
      type: type,
      isOptional: isOptional,
      hasDefault: defaultValue != nil,
      traits: traits,
      isTransient: isTransient,
      problems: problems,
      receivesUnknownMembers: receivesUnknownMembers)
    self.keyPath = keyPath
    self.defaultValue = defaultValue
    self.inlined = inlined
    self.read = read
    self.write = write
    self.writeProperty = writeProperty
    self.sample = sample
    copy =
      MemoryLayout<Model>.offset(of: keyPath) == nil && !isTransient
      ? nil : KeyCopy(form: form, isOptional: isOptional, read: read, write: write)
  }
}

/// Writes one property of the model that a pointer points to.
// The pointer is raw so that the functions of a mapping lie in an array whose
// type is known everywhere: getting one of a generic type out of it costs
// metadata look-ups on every field.
@usableFromInline
typealias PropertyWriter = @Sendable (UnsafeRawPointer, any FieldEncoder, Int) throws -> Void

/// The function that reads one key.
@usableFromInline
struct KeyReader<Value: Sendable>: Sendable {
  @usableFromInline let read: @Sendable (any FieldDecoder, Int) throws -> Value

  @inlinable
  init(_ read: @escaping @Sendable (any FieldDecoder, Int) throws -> Value) { self.read = read }
}
