public import Foundation

/// Writes the fields of one object by the positions of its mapping's keys.
///
/// A mapping writes every key that is not transient, in declaration order.
/// Each method throws where the format cannot represent the value.
///
/// Not `Sendable`: an encoder is used by one thread at a time.
public protocol FieldEncoder: AnyObject {
  /// Writes the absence of a value.
  func encodeNull(at index: Int) throws

  /// Writes a truth value.
  func encode(_ value: Bool, at index: Int) throws

  /// Writes an integer.
  func encode(_ value: Int64, at index: Int) throws

  /// Writes an integer without a sign.
  func encode(_ value: UInt64, at index: Int) throws

  /// Writes a number.
  func encode(_ value: Double, at index: Int) throws

  /// Writes a number of single precision; in double precision, unless the format
  /// has fewer digits for it.
  func encode(_ value: Float, at index: Int) throws

  /// Writes an exact decimal number.
  func encode(_ value: Decimal, at index: Int) throws

  /// Writes text.
  func encode(_ value: String, at index: Int) throws

  /// Writes bytes. Text formats hold them in Base64.
  func encode(_ value: Data, at index: Int) throws

  /// Writes a date. Formats that have dates of their own ignore `format`.
  func encode(_ value: Date, _ format: DateFormat, at index: Int) throws

  /// Writes an object with the keys of a mapping of its own, whose fields the
  /// closure writes.
  func encodeObject(
    at index: Int, keys: MappingKeys, _ body: (any FieldEncoder) throws -> Void) throws

  /// Writes an array, whose elements the closure writes by their positions, all
  /// of them in order.
  func encodeArray(
    at index: Int, count: Int, _ body: (any FieldEncoder) throws -> Void) throws

  /// Writes a dictionary, whose members the closure writes by the positions of
  /// their names, all of them in order.
  ///
  /// At a key that takes the unknown members, each name is a path in the string
  /// form of ``FieldPath``, which the member is written to, behind all keys of
  /// the object. A name that is no path, or a path that a key or another member
  /// claims, is a ``MappingError`` of code `invalidValue`.
  func encodeDictionary(
    at index: Int, names: [String], _ body: (any FieldEncoder) throws -> Void) throws

  /// Writes a value by its own `Codable` conformance; as JSON text, unless the
  /// format has a structure of its own.
  func encode<Value: Encodable>(codable value: Value, at index: Int) throws

  /// The way to a key's value from the root of what is being written, or nil
  /// where the format has no paths. For messages, so it may be slow.
  func path(at index: Int) -> FieldPath?

  /// Whether what is written must hold the mapping's validations, and is what
  /// its repairs make of it: as in a store, and not in a document.
  var validatesModels: Bool { get }
}

extension FieldEncoder {
  /// No.
  public var validatesModels: Bool { false }

  /// Writes the number in double precision, which is the same number.
  public func encode(_ value: Float, at index: Int) throws {
    try encode(Double(value), at: index)
  }

  /// None.
  public func path(at index: Int) -> FieldPath? { nil }

  /// An error about a value that cannot be written at a key.
  ///
  /// The mapping adds the names of the model and the key.
  public func error(
    _ code: MappingError.Code, at index: Int, expected: String?, found: String?
  ) -> MappingError {
    MappingError(code, path: path(at: index), found: found, expected: expected)
  }
}

extension FieldEncoder {
  /// Refuses: the format has no objects inside objects.
  public func encodeObject(
    at index: Int, keys: MappingKeys, _ body: (any FieldEncoder) throws -> Void
  ) throws {
    throw MappingError(.unsupported, found: "object", expected: "flat value")
  }

  /// Refuses: the format has no arrays.
  public func encodeArray(
    at index: Int, count: Int, _ body: (any FieldEncoder) throws -> Void
  ) throws {
    throw MappingError(.unsupported, found: "array", expected: "flat value")
  }

  /// Refuses: the format has no dictionaries.
  public func encodeDictionary(
    at index: Int, names: [String], _ body: (any FieldEncoder) throws -> Void
  ) throws {
    throw MappingError(.unsupported, found: "dictionary", expected: "flat value")
  }
}

extension Mapping {
  /// Writes the fields of a model, in declaration order.
  ///
  /// - Throws: ``MappingError`` where the declaration is not sound or the
  ///   encoder cannot represent a value, which ends the writing; before it
  ///   begins, with all of them, where validations fail that the encoder asks
  ///   for.
  public func encode(_ model: Model, to encoder: any FieldEncoder) throws {
    try checkDeclaration()
    var model = model
    if hasRules && encoder.validatesModels {
      model = try validated(model, writtenTo: encoder)
    }
    try withUnsafePointer(to: model) { try encode($0, order: mappingKeys.written, to: encoder) }
  }

  /// Writes some fields of a model that stays where it is in memory.
  ///
  /// The mapping's declaration must be sound.
  ///
  /// - Parameters:
  ///   - model: The model, which is not copied.
  ///   - order: The positions of the keys, in the order of writing.
  ///   - encoder: Takes the fields.
  /// - Throws: As ``encode(_:to:)-(Model,_)``.
  package func encode(
    _ model: UnsafePointer<Model>, order: [Int], to encoder: any FieldEncoder
  ) throws {
    try writers.write(UnsafeRawPointer(model), order, to: encoder)
  }

  /// Writes one field of a model, or nothing where it has no key of the name.
  ///
  /// - Throws: As ``encode(_:to:)-(Model,_)``.
  public func encode(_ model: Model, only name: String, to encoder: any FieldEncoder) throws {
    try checkDeclaration()
    guard let index = keys.firstIndex(where: { $0.name == name && !$0.isTransient }) else { return }
    try withUnsafePointer(to: model) { try encode($0, order: [index], to: encoder) }
  }
}
