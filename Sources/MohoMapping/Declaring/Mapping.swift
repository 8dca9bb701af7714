/// The keys of a model, declared once.
///
/// A mapping has the name of the model in a store, a function that creates the
/// model (usually its memberwise initializer), and one ``KeyMapping`` for each
/// argument of that function. The compiler checks that they match.
///
/// If several validations or merge policies follow the declaration, write the
/// type, as in `Mapping<Episode>("Episode", …)`. Otherwise the compiler tries
/// every initializer of the model for the whole expression.
///
/// A mapping checks its own declaration and reports mistakes in ``issues``. If
/// there are any, every attempt to decode or encode a model throws a
/// ``MappingError`` with code ``MappingError/Code/invalidDeclaration`` that
/// lists all of them.
public struct Mapping<Model>: Sendable {
  /// The name of the model in a store and in messages.
  public var name: String { parts.name }

  /// The keys, in declaration order. Decoders and encoders identify a key by
  /// its index in this array.
  public var keys: [FieldKey] { fieldKeys.keys }

  /// The keys as an object that adapters can identify.
  public var fieldKeys: FieldKeys { parts.fieldKeys }

  /// What is wrong with the declaration, in declaration order.
  ///
  /// The order of the arguments and the keys of inlined models are checked
  /// once, when the issues are first read or a model is first read or written.
  /// Keys listed in ``notes`` can add an issue later, when models are read.
  public var issues: [DeclarationIssue] { parts.declaredIssues + fieldKeys.foundIssues }

  /// What could not be checked before models are read, in declaration order:
  /// keys of the same type whose order samples do not determine, and keys that
  /// write the value of another key although nothing shows that their own value
  /// is lost.
  ///
  /// A note is not a mistake. If the order of keys is not determined, the
  /// mapping compares these keys in the models that are read first, until one
  /// has different values for them. If that model shows that keys are swapped,
  /// reading it throws a ``MappingError`` with code
  /// ``MappingError/Code/invalidDeclaration``, and ``issues`` contains the issue
  /// from then on. To have the keys checked in advance, provide samples for the
  /// types that the note names, with ``FieldValue/sample(_:)`` or with the
  /// `samples:` of their ``Transform``.
  public var notes: [DeclarationNote] { fieldKeys.foundNotes }

  /// The names of the keys that identify a model: those of
  /// ``identified(by:)``, or the first key with the trait ``KeyTraits/unique``.
  /// Empty if each model is saved as a new row.
  public var identifyingKeys: [String] { identity.map { keys[$0].name } }

  /// The indexes of the keys that identify a model.
  package var identity: [Int] { parts.identity }

  /// Whether ``identified(by:)`` declares the identity.
  package var declaresIdentity: Bool { parts.declaresIdentity }

  /// The declared combinations of unique keys.
  public var uniqueKeys: [[String]] { parts.uniqueKeys }

  /// The declared combinations of indexed keys.
  public var indexes: [[String]] { parts.indexes }

  /// Whether the mapping has validations or repairs.
  package var hasRules: Bool { parts.hasRules }

  package var writers: KeyWriters { parts.writers }

  var writer: MappingWriter { storage.writer }

  var fields: [MappedField<Model>] { parts.fields }

  private var storage: MappingStorage<Model>

  init(_ parts: MappingParts<Model>) { self.init(MappingStorage(parts)) }

  init(_ storage: MappingStorage<Model>) { self.storage = storage }

  var parts: MappingParts<Model> {
    _read { yield storage.parts }
    set { storage = MappingStorage(newValue) }
  }

  /// Declares a mapping.
  ///
  /// - Parameters:
  ///   - name: The name of the model in a store and in messages.
  ///   - naming: How documents name the keys that declare no path.
  ///   - make: Creates a model from one value per key. The declaration check
  ///     calls it with sample values, so it must accept all values of its
  ///     argument types.
  ///   - keys: One key mapping for each argument of `make`, in the same order.
  @inlinable
  public init<each Value: Sendable>(
    _ name: String,
    naming: KeyNaming = .asDeclared,
    _ make: @escaping @Sendable (repeat each Value) -> Model,
    _ keys: repeat KeyMapping<Model, each Value>
  ) {
    // Inlinable, as are the key factories: a parameter pack that is not
    // specialized where the model is declared makes decoding three times
    // slower. The closure captures functions, not key mappings: capturing
    // structs of several references costs metadata lookups for every row.
    let reads = (repeat KeyReader((each keys).read))
    self.init(
      name,
      naming: naming,
      read: { decoder in try Self.read(from: decoder, make, repeat each reads) },
      readAll: { decoder, advance, accept, models in
        try Self.read(into: &models, from: decoder, advance, accept, make, repeat each reads)
      },
      make: make,
      keys: repeat each keys)
  }

  /// Creates a model for each object.
  // The functions are arguments, which are borrowed. Captured functions would
  // be retained and released for every object. They are wrapped in structs
  // because debug builds release packs of functions once too often.
  @inlinable
  static func read<each Value: Sendable>(
    into models: inout [Model], from decoder: any FieldDecoder,
    _ advance: () throws -> Bool,
    _ accept: ((inout Model) throws -> Void)?,
    _ make: @Sendable (repeat each Value) -> Model,
    _ reads: repeat KeyReader<each Value>
  ) throws {
    while try advance() {
      var next = 0
      func index() -> Int {
        defer { next += 1 }
        return next
      }
      var model: Model
      do {
        model = make(repeat try (each reads).read(decoder, index()))
      } catch {
        throw KeyFailure(index: next - 1, error: error)
      }
      if let accept { try accept(&model) }
      models.append(model)
    }
  }

  /// Creates a model.
  // Not part of the loop, which would copy each model once more.
  @inlinable
  static func read<each Value: Sendable>(
    from decoder: any FieldDecoder,
    _ make: @Sendable (repeat each Value) -> Model,
    _ reads: repeat KeyReader<each Value>
  ) throws -> Model {
    var next = 0
    func index() -> Int {
      defer { next += 1 }
      return next
    }
    do {
      return make(repeat try (each reads).read(decoder, index()))
    } catch {
      throw KeyFailure(index: next - 1, error: error)
    }
  }

  @usableFromInline
  init<each Value: Sendable>(
    _ name: String,
    naming: KeyNaming,
    read: @escaping @Sendable (any FieldDecoder) throws -> Model,
    readAll:
      @escaping @Sendable (
        any FieldDecoder, () throws -> Bool, ((inout Model) throws -> Void)?, inout [Model]
      ) throws -> Void,
    make: @escaping @Sendable (repeat each Value) -> Model,
    keys: repeat KeyMapping<Model, each Value>
  ) {
    var fieldKeys: [FieldKey] = []
    var fields: [MappedField<Model>] = []
    var writers: [KeyWriter] = []
    var copies: [KeyCopy] = []
    var inlined: [Int: [any MappedModel.Type]] = [:]
    for key in repeat each keys {
      if let model = key.inlined { inlined[fields.count] = [model] }
      fieldKeys.append(key.key.named(by: naming))
      fields.append(key.field)
      let property = StoredProperty(key.keyPath)
      writers.append(KeyWriter(key.writeProperty) { property.value(at: $0) })
      if let copy = key.copy { copies.append(copy) }
    }
    let assemble: @Sendable ((Int) -> (any AnyValueBox)?) -> Model? = { value in
      var next = 0
      func unboxed<Property: Sendable>(_ type: ValueBox<Property>.Type) throws -> Property {
        defer { next += 1 }
        guard let box = value(next) as? ValueBox<Property> else { throw MissingValue() }
        return box.value
      }
      return try? make(repeat unboxed(ValueBox<each Value>.self))
    }
    let properties = (repeat StoredProperty((each keys).keyPath))
    let rebuild: @Sendable (UnsafePointer<Model>, (Int) -> (any AnyValueBox)?) -> Model = {
      model, replacement in
      var next = 0
      func value<Property: Sendable>(
        _ property: StoredProperty<Model, Property>
      ) -> Property {
        defer { next += 1 }
        let box = replacement(next) as? ValueBox<Property>
        return box?.value ?? property.value(in: model)
      }
      return make(repeat value(each properties))
    }
    let keys = FieldKeys(
      fieldKeys, of: name, inlined: inlined,
      order: ArgumentOrder(fields: fields, keys: fieldKeys, make: assemble).findings)
    var parts = MappingParts<Model>(
      name: name, fieldKeys: keys,
      declaredIssues: DeclarationIssue.issues(of: name, keys: fieldKeys),
      // Swift 6.3 compiles a key path in this function to code that crashes.
      fields: fields, keyPaths: fields.map { $0.keyPath }, writers: KeyWriters(writers, keys),
      read: read, readAll: readAll, rebuild: rebuild, assemble: assemble)
    parts.copies = copies.count == fieldKeys.count ? copies : nil
    parts.identity = fieldKeys.firstIndex { $0.traits.contains(.unique) }.map { [$0] } ?? []
    self.init(parts)
  }

  /// Returns the key of a property, or nil if the property is not a key.
  public func key(for keyPath: PartialKeyPath<Model>) -> FieldKey? {
    index(of: keyPath).map { keys[$0] }
  }

  /// Returns the index in ``keys`` of the key of a property, or nil if the
  /// property is not a key.
  public func index(of keyPath: PartialKeyPath<Model>) -> Int? {
    parts.keyPaths.firstIndex { $0.map { $0 == keyPath } ?? false }
  }
}

private struct MissingValue: Error {}
