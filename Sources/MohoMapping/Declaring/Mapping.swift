/// The keys of a model, declared once: an ordinary value that one can read,
/// print and test.
///
/// A mapping is made of the name that the model has in a store, a function that
/// makes the model (commonly its memberwise initializer), and one
/// ``KeyMapping`` for each argument of that function, matched by the compiler.
///
/// Where several validations or merges follow the declaration, name the model,
/// as in `Mapping<Episode>("Episode", …)`: the compiler then need not try every
/// initializer that the model has in all of the expression at once.
///
/// The declaration checks itself when it is made, and what it finds is in
/// ``issues``. A mapping with issues decodes and encodes nothing: each attempt
/// throws a ``MappingError`` of code ``MappingError/Code/invalidDeclaration``
/// that names all of them.
public struct Mapping<Model>: Sendable {
  /// The name of the model in a store and in messages.
  public let name: String

  /// The declared keys, in declaration order. The position of a key in this
  /// array is the index by which decoders and encoders know it.
  public var keys: [MappingKey] { mappingKeys.keys }

  /// The keys as adapters know them, to prepare for a mapping once.
  public let mappingKeys: MappingKeys

  /// What is wrong with the declaration, in declaration order; empty when it
  /// is sound.
  ///
  /// The order of the arguments, and what other models bring in, is checked once,
  /// when the issues are first asked for or a model is first read or written. Keys
  /// in ``notes`` can add an issue when models are read.
  public var issues: [DeclarationIssue] { declaredIssues + mappingKeys.foundIssues }

  /// What could not be checked before a model is read, in declaration order: keys
  /// of one type whose order samples do not show.
  ///
  /// A note is not a mistake. These keys are compared in the models that are read
  /// first, until one has different values at them. If it shows that they are
  /// swapped, reading it throws a ``MappingError`` of code
  /// ``MappingError/Code/invalidDeclaration``, and the issue is among ``issues``
  /// from then on. Give the types that a note names samples, by
  /// ``FieldValue/sample(_:)`` or by the `samples:` of their ``Transform``, and the
  /// keys are checked beforehand.
  public var notes: [DeclarationNote] { mappingKeys.foundNotes }

  /// What is wrong with the keys that are declared here.
  var declaredIssues: [DeclarationIssue]

  /// The keys whose values, taken together, no two models in a store share,
  /// beside those that are unique by themselves.
  public internal(set) var uniqueKeys: [[String]] = []

  /// The keys that a store keeps indexes on together, beside those that are
  /// indexed by themselves.
  public internal(set) var indexes: [[String]] = []

  /// Appends a model for each object that the decoder is advanced to.
  // One loop, specialized with the declaration: a call per object from code
  // that is generic in the model costs metadata look-ups on every row.
  @usableFromInline let readAll:
    @Sendable (any FieldDecoder, () throws -> Bool, inout [Model]) throws -> Void
  var fields: [MappedField<Model>]
  /// The functions that write the keys.
  package let writers: KeyWriters
  /// How the keys are copied without a model; nil where one of them cannot be.
  let copies: [KeyCopy]?
  /// Makes a model of the values of another, some of them replaced.
  let rebuild: @Sendable (UnsafePointer<Model>, (Int) -> (any AnyValueBox)?) -> Model
  /// Makes a model of a value for each key; nil where one is missing.
  let assemble: @Sendable ((Int) -> (any AnyValueBox)?) -> Model?
  /// Whether models are changed or refused after their keys are read.
  package var hasRules = false
  /// What is made of each model that is read, in this order.
  var modelRules: [@Sendable (Model) throws -> Model] = []

  /// Declares a mapping.
  ///
  /// - Parameters:
  ///   - name: The name of the model in a store and in messages.
  ///   - naming: How documents spell the keys that declare no path.
  ///   - make: Makes a model of one value per key. The check calls it with
  ///     sample values, so it must take any value of its arguments' types.
  ///   - keys: One key mapping for each argument of `make`, in its order.
  @inlinable
  public init<each Value: Sendable>(
    _ name: String,
    naming: KeyNaming = .asDeclared,
    _ make: @escaping @Sendable (repeat each Value) -> Model,
    _ keys: repeat KeyMapping<Model, each Value>
  ) {
    // Inlinable, as are the factories of keys: a parameter pack that is not
    // specialized where the model is declared makes decoding three times slower.
    // The closure captures the functions, not the key mappings: capturing
    // structs of several references costs metadata look-ups on every row.
    let reads = (repeat KeyReader((each keys).read))
    self.init(
      name,
      naming: naming,
      readAll: { decoder, advance, models in
        try Self.read(into: &models, from: decoder, advance, make, repeat each reads)
      },
      make: make,
      keys: repeat each keys)
  }

  /// Makes a model of each object.
  // The functions are arguments, which are borrowed: captured ones would be
  // retained and released for every object. They lie in structs, for debug
  // builds let go of arguments that are packs of functions once too often.
  @inlinable
  static func read<each Value: Sendable>(
    into models: inout [Model], from decoder: any FieldDecoder,
    _ advance: () throws -> Bool,
    _ make: @Sendable (repeat each Value) -> Model,
    _ reads: repeat KeyReader<each Value>
  ) throws {
    while try advance() {
      var next = 0
      func index() -> Int {
        defer { next += 1 }
        return next
      }
      do {
        models.append(make(repeat try (each reads).read(decoder, index())))
      } catch {
        throw KeyFailure(index: next - 1, error: error)
      }
    }
  }

  @usableFromInline
  init<each Value: Sendable>(
    _ name: String,
    naming: KeyNaming,
    readAll:
      @escaping @Sendable (any FieldDecoder, () throws -> Bool, inout [Model]) throws -> Void,
    make: @escaping @Sendable (repeat each Value) -> Model,
    keys: repeat KeyMapping<Model, each Value>
  ) {
    self.name = name
    self.readAll = readAll
    var descriptions: [MappingKey] = []
    var fields: [MappedField<Model>] = []
    var writers: [KeyWriter] = []
    var copies: [KeyCopy] = []
    var inlined: [Int: [any MappedModel.Type]] = [:]
    for key in repeat each keys {
      if let model = key.inlined { inlined[fields.count] = [model] }
      descriptions.append(key.description.named(by: naming))
      fields.append(key.field)
      let property = StoredProperty(key.keyPath)
      writers.append(KeyWriter(key.writeProperty) { property.value(at: $0) })
      if let copy = key.copy { copies.append(copy) }
    }
    self.assemble = { value in
      var next = 0
      func held<Property: Sendable>(_ type: ValueBox<Property>.Type) throws -> Property {
        defer { next += 1 }
        guard let held = value(next) as? ValueBox<Property> else { throw MissingValue() }
        return held.value
      }
      return try? make(repeat held(ValueBox<each Value>.self))
    }
    self.mappingKeys = MappingKeys(
      descriptions, of: name, inlined: inlined,
      order: ArgumentOrder(fields: fields, keys: descriptions, make: assemble).findings)
    self.fields = fields
    self.writers = KeyWriters(writers, mappingKeys)
    self.copies = copies.count == descriptions.count ? copies : nil
    let properties = (repeat StoredProperty((each keys).keyPath))
    self.rebuild = { model, replacement in
      var next = 0
      func value<Property: Sendable>(
        _ property: StoredProperty<Model, Property>
      ) -> Property {
        defer { next += 1 }
        let held = replacement(next) as? ValueBox<Property>
        return held?.value ?? property.value(in: model)
      }
      return make(repeat value(each properties))
    }
    self.declaredIssues = DeclarationIssue.issues(of: name, keys: descriptions)
  }

  /// The declared key that a key path reads, or nil where none does.
  public func key(for keyPath: PartialKeyPath<Model>) -> MappingKey? {
    index(of: keyPath).map { keys[$0] }
  }

  /// The position in ``keys`` of the key that a key path reads, or nil.
  public func index(of keyPath: PartialKeyPath<Model>) -> Int? {
    fields.firstIndex { field in field.keyPath.map { $0 == keyPath } ?? false }
  }
}

private struct MissingValue: Error {}
