public import Foundation

/// Writes the fields of one object by the indexes of its mapping's keys.
///
/// A mapping writes every key that is not transient, in declaration order unless the
/// encoder wants another one. Each method throws an error if the format cannot represent
/// the value.
///
/// Not `Sendable`: use an encoder from one thread at a time.
public protocol FieldEncoder: AnyObject {
  /// Writes null.
  func encodeNull(at index: Int) throws

  /// Writes a Boolean value.
  func encode(_ value: Bool, at index: Int) throws

  /// Writes an integer.
  func encode(_ value: Int64, at index: Int) throws

  /// Writes an unsigned integer.
  func encode(_ value: UInt64, at index: Int) throws

  /// Writes a number.
  func encode(_ value: Double, at index: Int) throws

  /// Writes a single-precision number. The default writes it in double
  /// precision.
  func encode(_ value: Float, at index: Int) throws

  /// Writes an exact decimal number.
  func encode(_ value: Decimal, at index: Int) throws

  /// Writes a string.
  func encode(_ value: String, at index: Int) throws

  /// Writes bytes. Text formats encode them in Base64.
  func encode(_ value: Data, at index: Int) throws

  /// Writes a date. Formats with a date type ignore `format`.
  func encode(_ value: Date, _ format: DateFormat, at index: Int) throws

  /// Writes an object with the keys of another mapping. The closure writes its
  /// fields, each at most once.
  func encodeObject(
    at index: Int, keys: FieldKeys, _ body: (any FieldEncoder) throws -> Void) throws

  /// Writes an array. The closure writes all elements by their indexes, in
  /// order.
  func encodeArray(
    at index: Int, count: Int, _ body: (any FieldEncoder) throws -> Void) throws

  /// Writes a dictionary. The closure writes all members by the indexes of
  /// their names, in order.
  ///
  /// For a key that receives unknown members, each name is a path in the string
  /// form of ``FieldPath``. The member is written to that path, after all keys
  /// of the object. If a name is not a path, or if a key or another member has
  /// the path, a ``MappingError`` with code `invalidValue` is thrown.
  func encodeDictionary(
    at index: Int, names: [String], _ body: (any FieldEncoder) throws -> Void) throws

  /// Writes a value with its own `Codable` conformance. A format without
  /// structure writes it as JSON text.
  func encode<Value: Encodable>(codable value: Value, at index: Int) throws

  /// Returns the order in which the fields of the object must be written, or nil for
  /// declaration order.
  ///
  /// A mapping calls the method before it writes the fields of a model, and then writes
  /// exactly these fields, each once. An encoder that passes fields to another one must
  /// return nil or the order of that encoder.
  ///
  /// - Parameter keys: The keys of the fields.
  func order(of keys: FieldKeys) -> [Int]?

  /// Returns the path of a key's value from the root of the document. Nil if
  /// the format has no paths. Used for messages, so it may be slow.
  func path(at index: Int) -> FieldPath?

  /// Whether models are validated and repaired before they are written. This is
  /// true for a store, and false for a document.
  var validatesModels: Bool { get }
}

extension FieldEncoder {
  /// The default is false.
  public var validatesModels: Bool { false }

  /// The default writes the number in double precision, without loss.
  public func encode(_ value: Float, at index: Int) throws {
    try encode(Double(value), at: index)
  }

  /// The default is nil.
  public func order(of keys: FieldKeys) -> [Int]? { nil }

  /// The default is nil.
  public func path(at index: Int) -> FieldPath? { nil }

  /// Returns an error about a value that cannot be written. The mapping adds
  /// the names of the model and the key.
  public func error(
    _ code: MappingError.Code, at index: Int, expected: String?, found: String?
  ) -> MappingError {
    MappingError(code, path: path(at: index), found: found, expected: expected)
  }

  /// The default throws an error: the format has no nested objects.
  public func encodeObject(
    at index: Int, keys: FieldKeys, _ body: (any FieldEncoder) throws -> Void
  ) throws {
    throw MappingError(.unsupported, found: "object", expected: "flat value")
  }

  /// The default throws an error: the format has no arrays.
  public func encodeArray(
    at index: Int, count: Int, _ body: (any FieldEncoder) throws -> Void
  ) throws {
    throw MappingError(.unsupported, found: "array", expected: "flat value")
  }

  /// The default throws an error: the format has no dictionaries.
  public func encodeDictionary(
    at index: Int, names: [String], _ body: (any FieldEncoder) throws -> Void
  ) throws {
    throw MappingError(.unsupported, found: "dictionary", expected: "flat value")
  }
}

extension Mapping {
  /// Writes the fields of a model in the order that the encoder wants, or in declaration
  /// order.
  ///
  /// - Throws: ``MappingError`` if the declaration has issues, or if the
  ///   encoder cannot represent a value. The first such value ends the writing,
  ///   except in stores, which report all of them. If the encoder validates
  ///   models, all failed validations are thrown before anything is written.
  public func encode(_ model: Model, to encoder: any FieldEncoder) throws {
    try checkDeclaration()
    let writer = writer
    try withUnsafePointer(to: model) { try writer.write(UnsafeRawPointer($0), to: encoder) }
  }

  /// Writes some fields of a model without copying it.
  ///
  /// The declaration must not have issues.
  ///
  /// - Parameters:
  ///   - order: The indexes of the keys, in the order of writing.
  /// - Throws: As ``encode(_:to:)-(Model,_)``.
  package func encode(
    _ model: UnsafePointer<Model>, order: [Int], to encoder: any FieldEncoder
  ) throws {
    try writers.write(UnsafeRawPointer(model), order, to: encoder)
  }

  /// Writes one field of a model. Writes nothing if no key has the name.
  ///
  /// - Throws: As ``encode(_:to:)-(Model,_)``.
  public func encode(_ model: Model, only name: String, to encoder: any FieldEncoder) throws {
    try checkDeclaration()
    guard let index = keys.firstIndex(where: { $0.name == name && !$0.isTransient }) else { return }
    try withUnsafePointer(to: model) { try encode($0, order: [index], to: encoder) }
  }
}
