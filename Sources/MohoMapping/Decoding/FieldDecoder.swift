public import Foundation

/// Reads the fields of one object by the positions of its mapping's keys.
///
/// An adapter for a format or a store has one final class that conforms, which
/// it moves from object to object. A value that is not of the asked type is an
/// error and is never converted; each method throws a ``MappingError`` of code
/// `missingValue` where there is no value, `unexpectedNull` where it is null,
/// `invalidType` where it is of another type, `invalidValue` where it cannot be
/// represented.
///
/// Not `Sendable`: a decoder is used by one thread at a time.
public protocol FieldDecoder: AnyObject {
  /// Whether the object does not hold the key at all.
  func isAbsent(at index: Int) -> Bool

  /// Whether the key's value is null or absent.
  func isNull(at index: Int) throws -> Bool

  /// The value as a truth value; numbers are none.
  func bool(at index: Int) throws -> Bool

  /// The value as an integer. A number with a fraction is none.
  func int64(at index: Int) throws -> Int64

  /// The value as an integer without a sign.
  func uint64(at index: Int) throws -> UInt64

  /// The value as a number, rounded to the nearest double where it must be.
  func double(at index: Int) throws -> Double

  /// The value as an exact decimal number.
  func decimal(at index: Int) throws -> Decimal

  /// The value as text.
  func string(at index: Int) throws -> String

  /// The value as bytes. Text formats hold them in Base64.
  func data(at index: Int) throws -> Data

  /// The value as a date. Formats that have dates of their own ignore `format`.
  func date(at index: Int, _ format: DateFormat) throws -> Date

  /// The value as an object with the keys of a mapping of its own.
  ///
  /// The decoder that is returned is used up before the next call.
  func object(at index: Int, keys: MappingKeys) throws -> any FieldDecoder

  /// The value as an array: a decoder whose positions are those of its
  /// elements, and their number.
  ///
  /// The decoder that is returned is used up before the next call.
  func array(at index: Int) throws -> FieldElements

  /// The value as a dictionary: a decoder whose positions are those of its
  /// members, in the order of the text, and their names.
  ///
  /// At a key that takes the unknown members, they are what no key of the object
  /// is mapped to, inlined models and the variant of a cluster included: the
  /// members of the object and of the objects on the ways to keys, and the
  /// elements of the arrays on these ways, but for null before another element.
  /// Each is named by its path in the string form of ``FieldPath``. Such a key
  /// is absent where there are none.
  ///
  /// The decoder that is returned is used up before the next call.
  func dictionary(at index: Int) throws -> FieldMembers

  /// The value as one of a type that is read by its own `Codable` conformance;
  /// from JSON text, unless the format has a structure of its own.
  func codable<Value: Decodable>(_ type: Value.Type, at index: Int) throws -> Value

  /// Whether what no key is mapped to is looked for in the object. A mapping asks
  /// once, before it reads the first key.
  var reportsUnknownKeys: Bool { get }

  /// The errors about what no key is mapped to in the object that was just read,
  /// in the order of the text. Formats that do not look for it have none.
  func unknownKeyErrors() -> [MappingError]

  /// The way to the object from the root of what is being decoded, or nil where
  /// the format has no paths. For messages, so it may be slow.
  var objectPath: FieldPath? { get }

  /// What is at a key: where it is and what it looks like. For messages, so it
  /// may be slow.
  func field(at index: Int) -> FieldDescription
}

/// A decoder that another one takes the place of where it fails, so that nobody
/// is told of its errors: the first one ends the reading.
package protocol FastPathDecoder: FieldDecoder {
  /// Takes back that a value could not be read, as it need not be: whoever caught
  /// the error does without the value, and looks at nothing of the error.
  func discardError(_ error: any Error)
}

extension FieldDecoder {
  /// Lets a decoder know that an error of it that was caught is none.
  package func discardFastPathError(_ error: any Error) {
    (self as? any FastPathDecoder)?.discardError(error)
  }
}

/// The elements of an array that is being read.
public struct FieldElements {
  /// Reads the elements by their positions.
  public let decoder: any FieldDecoder
  /// How many there are.
  public let count: Int

  /// Makes the elements of an array.
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

  /// Makes the members of a dictionary.
  public init(decoder: any FieldDecoder, names: [String]) {
    self.decoder = decoder
    self.names = names
  }
}

extension FieldDecoder {
  /// None.
  public var objectPath: FieldPath? { nil }

  /// Refuses: the format has no objects inside objects.
  public func object(at index: Int, keys: MappingKeys) throws -> any FieldDecoder {
    throw error(.unsupported, at: index, expected: "flat value", found: "object")
  }

  /// Refuses: the format has no arrays.
  public func array(at index: Int) throws -> FieldElements {
    throw error(.unsupported, at: index, expected: "flat value", found: "array")
  }

  /// Refuses: the format has no dictionaries.
  public func dictionary(at index: Int) throws -> FieldMembers {
    throw error(.unsupported, at: index, expected: "flat value", found: "dictionary")
  }
}

extension FieldDecoder {
  /// False.
  public var reportsUnknownKeys: Bool { false }

  /// None.
  public func unknownKeyErrors() -> [MappingError] { [] }
}

/// Where a field is and what was found there.
public struct FieldDescription: Sendable, Hashable {
  /// The way to the field from the root of what is being decoded.
  public var path: FieldPath
  /// What is there, such as `string "12a"`, or nil where there is nothing.
  public var found: String?
  /// A key that is there and looks like the one that is not.
  public var suggestion: String?
  /// Where else a value was looked for that is not there.
  public var alternatives: [FieldPath]

  /// Makes a description.
  public init(
    path: FieldPath, found: String?, suggestion: String? = nil, alternatives: [FieldPath] = []
  ) {
    self.path = path
    self.found = found
    self.suggestion = suggestion
    self.alternatives = alternatives
  }
}

extension FieldDecoder {
  /// An error about the value at a key, with its place and what was found.
  ///
  /// The mapping adds the names of the model and the key.
  public func error(
    _ code: MappingError.Code, at index: Int, expected: String?, found: String? = nil,
    underlying: (any Error)? = nil
  ) -> MappingError {
    let field = field(at: index)
    var error = MappingError(
      code, path: field.path, found: found ?? field.found, expected: expected,
      underlying: underlying)
    error.suggestion = field.suggestion
    error.alternatives = field.alternatives
    return error
  }
}
