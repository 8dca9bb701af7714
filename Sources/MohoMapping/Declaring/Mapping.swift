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
  public let name: String

  /// The keys, in declaration order. Decoders and encoders identify a key by
  /// its index in this array.
  public var keys: [FieldKey] { fieldKeys.keys }

  /// The keys as an object that adapters can identify.
  public let fieldKeys: FieldKeys

  /// What is wrong with the declaration, in declaration order.
  ///
  /// The order of the arguments and the keys of inlined models are checked
  /// once, when the issues are first read or a model is first read or written.
  /// Keys listed in ``notes`` can add an issue later, when models are read.
  public var issues: [DeclarationIssue] { declaredIssues + fieldKeys.foundIssues }

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

  /// The issues of the keys that are declared here.
  var declaredIssues: [DeclarationIssue]

  /// The names of the keys that identify a model: those of
  /// ``identified(by:)``, or the first key with the trait ``KeyTraits/unique``.
  /// Empty if each model is saved as a new row.
  public var identifyingKeys: [String] { identity.map { keys[$0].name } }

  /// The indexes of the keys that identify a model.
  package internal(set) var identity: [Int]

  /// Whether ``identified(by:)`` declares the identity.
  package internal(set) var declaresIdentity = false

  /// The declared combinations of unique keys.
  public internal(set) var uniqueKeys: [[String]] = []

  /// The declared combinations of indexed keys.
  public internal(set) var indexes: [[String]] = []

  /// Appends a model for each object that the decoder is advanced to, after it was
  /// accepted or changed.
  // One loop, specialized with the declaration: a call per object from code
  // that is generic in the model costs metadata lookups for every row.
  @usableFromInline let readAll:
    @Sendable (
      any FieldDecoder, () throws -> Bool, _ accept: ((inout Model) throws -> Void)?,
      inout [Model]
    ) throws -> Void
  var fields: [MappedField<Model>]
  /// The property of each key. Nil if none is declared.
  // To copy fields takes longer than to compare their key paths.
  let keyPaths: [(any PartialKeyPath<Model> & Sendable)?]
  package let writers: KeyWriters
  /// How the keys are copied without a model. Nil if one of them cannot be.
  let copies: [KeyCopy]?
  /// Creates a model from another one, with some values replaced.
  let rebuild: @Sendable (UnsafePointer<Model>, (Int) -> (any AnyValueBox)?) -> Model
  /// Creates a model from a value for each key, or returns nil if one is
  /// missing.
  let assemble: @Sendable ((Int) -> (any AnyValueBox)?) -> Model?
  /// The variants if the model is a cluster.
  var clusterSchema: ObjectSchema.Cluster?
  /// Whether the mapping has validations or repairs.
  package var hasRules = false
  /// Validations and repairs of each model that is read, in order.
  var modelRules: [ModelRule<Model>] = []
  /// The keys that have rules, in declaration order.
  var ruledFields: [RuledField<Model>] = []

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

  @usableFromInline
  init<each Value: Sendable>(
    _ name: String,
    naming: KeyNaming,
    readAll:
      @escaping @Sendable (
        any FieldDecoder, () throws -> Bool, ((inout Model) throws -> Void)?, inout [Model]
      ) throws -> Void,
    make: @escaping @Sendable (repeat each Value) -> Model,
    keys: repeat KeyMapping<Model, each Value>
  ) {
    self.name = name
    self.readAll = readAll
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
    self.assemble = { value in
      var next = 0
      func unboxed<Property: Sendable>(_ type: ValueBox<Property>.Type) throws -> Property {
        defer { next += 1 }
        guard let box = value(next) as? ValueBox<Property> else { throw MissingValue() }
        return box.value
      }
      return try? make(repeat unboxed(ValueBox<each Value>.self))
    }
    self.fieldKeys = FieldKeys(
      fieldKeys, of: name, inlined: inlined,
      order: ArgumentOrder(fields: fields, keys: fieldKeys, make: assemble).findings)
    self.fields = fields
    // Swift 6.3 compiles a key path in this function to code that crashes.
    keyPaths = fields.map { $0.keyPath }
    self.writers = KeyWriters(writers, self.fieldKeys)
    self.copies = copies.count == fieldKeys.count ? copies : nil
    identity = fieldKeys.firstIndex { $0.traits.contains(.unique) }.map { [$0] } ?? []
    let properties = (repeat StoredProperty((each keys).keyPath))
    self.rebuild = { model, replacement in
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
    self.declaredIssues = DeclarationIssue.issues(of: name, keys: fieldKeys)
  }

  /// Returns the key of a property, or nil if the property is not a key.
  public func key(for keyPath: PartialKeyPath<Model>) -> FieldKey? {
    index(of: keyPath).map { keys[$0] }
  }

  /// Returns the index in ``keys`` of the key of a property, or nil if the
  /// property is not a key.
  public func index(of keyPath: PartialKeyPath<Model>) -> Int? {
    keyPaths.firstIndex { $0.map { $0 == keyPath } ?? false }
  }
}

private struct MissingValue: Error {}
