/// One key of a model: its name, its property, and how its value is read and
/// written.
///
/// Create key mappings with the leading-dot factories in a call to
/// ``Mapping/init(_:naming:_:_:)``: `.key(_:_:json:alternatives:default:_:)`,
/// ``inlined(_:_:default:)`` and ``transient(_:default:)``.
public struct KeyMapping<Model, Value: Sendable>: Sendable {
  var key: FieldKey
  let keyPath: any KeyPath<Model, Value> & Sendable
  /// The form of a value. It does not know the default.
  let transform: Transform<Value>
  /// Reads the value or its default.
  @usableFromInline let read: @Sendable (any FieldDecoder, Int) throws -> Value
  let writeProperty: PropertyWriter
  let defaultValue: Value?
  /// The type of an inlined model.
  var inlined: (any MappedModel.Type)?
  /// Merges an inlined model by its own policies. Nil keeps the incoming model.
  var mergeInside: (@Sendable (_ stored: Value, _ incoming: Value) -> Value?)?
  /// How a merge patch changes the unknown members that the key or an inlined
  /// model receives.
  var receiver: MemberReceiver<Value>?

  @usableFromInline
  init(
    name: String,
    keyPath: any KeyPath<Model, Value> & Sendable,
    source: FieldPath?,
    alternatives: [String] = [],
    hasDeclaredSource: Bool = true,
    transform: Transform<Value>,
    defaultValue: Value? = nil,
    traits: KeyTraits = [],
    isTransient: Bool = false,
    receivesUnknownMembers: Bool = false,
    read: @escaping @Sendable (any FieldDecoder, Int) throws -> Value,
    writeProperty: @escaping PropertyWriter
  ) {
    let alternatives = alternatives.map { FieldPath(stringLiteral: $0) }
    var problems = transform.problems
    if source == nil, !alternatives.isEmpty {
      problems.append("documents do not hold the key, so it cannot have alternative paths")
    }
    for case let path? in [source] + alternatives where path.elementPath != nil {
      problems += path.collectingProblems(of: transform)
    }
    key = FieldKey(
      name: name,
      source: source,
      alternatives: source == nil ? [] : alternatives,
      hasDeclaredSource: hasDeclaredSource,
      type: transform.type,
      isOptional: transform.isOptional,
      hasDefault: defaultValue != nil,
      traits: traits,
      isTransient: isTransient,
      problems: problems,
      receivesUnknownMembers: receivesUnknownMembers)
    self.keyPath = keyPath
    self.transform = transform
    self.read = read
    self.writeProperty = writeProperty
    self.defaultValue = defaultValue
  }

  /// How values are copied without a model. Nil for a computed property: it may
  /// not return the value that was read.
  var copy: KeyCopy? {
    guard MemoryLayout<Model>.offset(of: keyPath) != nil || key.isTransient else { return nil }
    let readsForm = defaultValue == nil && !key.traits.contains(.nullIsAbsent)
    return KeyCopy(
      form: readsForm ? transform.form : nil, dateFormat: transform.dateFormat,
      isOptional: key.isOptional, isStoreOnly: key.traits.contains(.storeOnly), read: read,
      write: transform.write)
  }
}

/// Writes one property of the model at an address.
// The address is untyped so that a mapping can store the functions in an array
// of a non-generic type. Reading an element of a generic type costs metadata
// lookups for every field.
@usableFromInline
typealias PropertyWriter = @Sendable (UnsafeRawPointer, any FieldEncoder, Int) throws -> Void

/// The function that reads one key.
@usableFromInline
struct KeyReader<Value: Sendable>: Sendable {
  @usableFromInline let read: @Sendable (any FieldDecoder, Int) throws -> Value

  @inlinable
  init(_ read: @escaping @Sendable (any FieldDecoder, Int) throws -> Value) { self.read = read }
}
