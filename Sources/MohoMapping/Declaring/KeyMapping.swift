/// One key of a model: its name, the property it maps, and how its value is
/// read and written.
///
/// Key mappings are made by the leading-dot declarations of
/// ``Mapping/init(_:_:_:)``: ``key(_:_:json:default:_:)`` and
/// ``transient(_:default:)``.
public struct KeyMapping<Model, Value: Sendable>: Sendable {
  let description: MappingKey
  let keyPath: any KeyPath<Model, Value> & Sendable
  @usableFromInline let read: @Sendable (any FieldDecoder, Int) throws -> Value
  let write: @Sendable (Value, any FieldEncoder, Int) throws -> Void
  let sample: @Sendable (FieldSample) -> Value?

  @usableFromInline
  init(
    name: String,
    keyPath: any KeyPath<Model, Value> & Sendable,
    source: FieldPath?,
    hasDefault: Bool,
    traits: KeyTraits,
    isTransient: Bool = false,
    type: FieldType,
    isOptional: Bool,
    read: @escaping @Sendable (any FieldDecoder, Int) throws -> Value,
    write: @escaping @Sendable (Value, any FieldEncoder, Int) throws -> Void,
    sample: @escaping @Sendable (FieldSample) -> Value?
  ) {
    self.description = MappingKey(
      name: name,
      source: source,
      type: type,
      isOptional: isOptional,
      hasDefault: hasDefault,
      traits: traits,
      isTransient: isTransient)
    self.keyPath = keyPath
    self.read = read
    self.write = write
    self.sample = sample
  }

  /// The key with its Swift type erased.
  var field: MappedField<Model> {
    let property = StoredProperty(keyPath)
    let (read, write) = (read, write)
    return MappedField(
      keyPath: keyPath,
      check: { decoder, index in _ = try read(decoder, index) },
      write: { model, encoder, index in try write(property.value(in: model), encoder, index) })
  }
}

/// A key's functions with the key's Swift type erased.
struct MappedField<Model>: Sendable {
  let keyPath: any PartialKeyPath<Model> & Sendable
  /// Reads the key and drops its value, for the error that reading it throws.
  let check: @Sendable (any FieldDecoder, Int) throws -> Void
  let write: @Sendable (UnsafePointer<Model>, any FieldEncoder, Int) throws -> Void
}
