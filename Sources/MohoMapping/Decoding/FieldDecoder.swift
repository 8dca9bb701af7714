public import Foundation

/// Reads the fields of one object by the indexes of its mapping's keys.
///
/// An adapter for a format or a store has one final class that conforms to the
/// protocol, and moves an instance from object to object. A value is never
/// converted. Each method throws a ``MappingError``: `missingValue` if there is
/// no value, `unexpectedNull` if it is null, `invalidType` if it has another
/// type, and `invalidValue` if it cannot be represented.
///
/// Not `Sendable`: use a decoder from one thread at a time, and not after the call that it was
/// passed to.
public protocol FieldDecoder: AnyObject {
  /// Whether the object does not contain the key.
  func isAbsent(at index: Int) -> Bool

  /// Whether the value of the key is null or absent.
  func isNull(at index: Int) throws -> Bool

  /// Reads a Boolean value. A number is not a Boolean value.
  func bool(at index: Int) throws -> Bool

  /// Reads an integer. A number with a fraction is not an integer.
  func int64(at index: Int) throws -> Int64

  /// Reads an unsigned integer.
  func uint64(at index: Int) throws -> UInt64

  /// Reads a number, rounded to the nearest double.
  func double(at index: Int) throws -> Double

  /// Reads an exact decimal number.
  func decimal(at index: Int) throws -> Decimal

  /// Reads a string.
  func string(at index: Int) throws -> String

  /// Reads bytes. Text formats encode them in Base64.
  func data(at index: Int) throws -> Data

  /// Reads a date. Formats with a date type ignore `format`.
  func date(at index: Int, _ format: DateFormat) throws -> Date

  /// Returns a decoder for an object with the keys of another mapping. It is
  /// used up before the next call.
  func object(at index: Int, keys: FieldKeys) throws -> any FieldDecoder

  /// Returns a decoder for the elements of an array, by their indexes. It is
  /// used up before the next call.
  func array(at index: Int) throws -> FieldElements

  /// Returns a decoder for the members of a dictionary, by their positions in
  /// the document. It is used up before the next call.
  ///
  /// For a key that receives unknown members, these are the values that no key
  /// of the object is mapped to, including the keys of inlined models and of
  /// the chosen variant of a cluster. They are members of the object, and
  /// members of objects and elements of arrays on the paths of keys, except
  /// null elements that precede another element. The name of each is its path
  /// in the string form of ``FieldPath``. The key is absent if there are no
  /// unknown members.
  func dictionary(at index: Int) throws -> FieldMembers

  /// Reads a value with its own `Codable` conformance. A format without
  /// structure reads it from JSON text.
  func codable<Value: Decodable>(_ type: Value.Type, at index: Int) throws -> Value

  /// Supplied values of store-only keys, or nil if the format contains these keys, as rows
  /// do.
  var suppliedValues: SuppliedValues? { get }

  /// Whether the decoder reports members that no key is mapped to. A mapping
  /// asks once, before it reads the first key.
  var reportsUnknownKeys: Bool { get }

  /// Returns an error for each member of the last object that no key is mapped
  /// to, in the order of the document.
  func unknownKeyErrors() -> [MappingError]

  /// The path of the object from the root of the document. Nil if the format
  /// has no paths. Used for messages, so it may be slow.
  var objectPath: FieldPath? { get }

  /// Describes the value at a key. Used for messages, so it may be slow.
  func field(at index: Int) -> FieldDescription
}

/// A decoder of a fast path. When it fails, a diagnostic decoder reads the
/// object again and reports the errors. The errors of this decoder are not
/// reported, and the first one ends the reading.
package protocol FastPathDecoder: FieldDecoder {
  /// Continues after an error: the caller does not need the value and ignores
  /// the error.
  func discardError(_ error: any Error)
}

/// A decoder of the rows of a store, which contain other rows.
package protocol NestedRowDecoder: FieldDecoder {
  /// The row that the object is read from, such as `` `Episode` 42``.
  var rowName: String? { get }
}

extension FieldDecoder {
  /// The row for messages, or nil if the caller of the decoder names it.
  var rowName: String? { (self as? any NestedRowDecoder)?.rowName }

  /// If this is a fast-path decoder, continues after an error that the caller
  /// ignores.
  package func discardFastPathError(_ error: any Error) {
    (self as? any FastPathDecoder)?.discardError(error)
  }
}

/// The elements of an array that is being read.
public struct FieldElements {
  /// Reads the elements by their indexes.
  public let decoder: any FieldDecoder
  /// The number of elements.
  public let count: Int

  /// Creates the elements of an array.
  public init(decoder: any FieldDecoder, count: Int) {
    self.decoder = decoder
    self.count = count
  }
}

/// The members of a dictionary that is being read.
public struct FieldMembers {
  /// Reads the members by their positions.
  public let decoder: any FieldDecoder
  /// The names of the members.
  public let names: [String]

  /// Creates the members of a dictionary.
  public init(decoder: any FieldDecoder, names: [String]) {
    self.decoder = decoder
    self.names = names
  }
}

extension FieldDecoder {
  /// The default is nil.
  public var objectPath: FieldPath? { nil }

  /// The default throws an error: the format has no nested objects.
  public func object(at index: Int, keys: FieldKeys) throws -> any FieldDecoder {
    throw error(.unsupported, at: index, expected: "flat value", found: "object")
  }

  /// The default throws an error: the format has no arrays.
  public func array(at index: Int) throws -> FieldElements {
    throw error(.unsupported, at: index, expected: "flat value", found: "array")
  }

  /// The default throws an error: the format has no dictionaries.
  public func dictionary(at index: Int) throws -> FieldMembers {
    throw error(.unsupported, at: index, expected: "flat value", found: "dictionary")
  }

  /// The default is false.
  public var reportsUnknownKeys: Bool { false }

  /// The default is an empty array.
  public func unknownKeyErrors() -> [MappingError] { [] }
}

/// The location of a field and the value that was found there.
public struct FieldDescription: Sendable, Hashable {
  /// The path of the field from the root of the document.
  public var path: FieldPath
  /// The value, such as `string "12a"`, or nil if there is no value.
  public var found: String?
  /// An unmapped key of the object with a similar name.
  public var suggestion: String?
  /// Further paths that had no value.
  public var alternatives: [FieldPath]
  /// The position of the value in the text, or of the object that lacks it. Nil
  /// if the format is not text, or finds positions later.
  public var position: TextPosition?

  /// Creates a description.
  public init(
    path: FieldPath, found: String?, suggestion: String? = nil, alternatives: [FieldPath] = [],
    position: TextPosition? = nil
  ) {
    self.position = position
    self.path = path
    self.found = found
    self.suggestion = suggestion
    self.alternatives = alternatives
  }
}

extension FieldDecoder {
  /// Returns an error about the value at a key, with its path and what was
  /// found. The mapping adds the names of the model and the key.
  public func error(
    _ code: MappingError.Code, at index: Int, expected: String?, found: String? = nil,
    underlying: (any Error)? = nil
  ) -> MappingError {
    let field = field(at: index)
    var error = MappingError(
      code, path: field.path, found: found ?? field.found, expected: expected,
      underlying: underlying)
    error.position = field.position
    error.suggestion = field.suggestion
    error.alternatives = field.alternatives
    return error
  }
}
