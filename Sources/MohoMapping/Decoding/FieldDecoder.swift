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

  /// What is at a key: where it is and what it looks like. For messages, so it
  /// may be slow.
  func field(at index: Int) -> FieldDescription
}

/// Where a field is and what was found there.
public struct FieldDescription: Sendable, Hashable {
  /// The way to the field from the root of what is being decoded.
  public var path: FieldPath
  /// What is there, such as `string "12a"`, or nil where there is nothing.
  public var found: String?
  /// A key that is there and looks like the one that is not.
  public var suggestion: String?

  /// Makes a description.
  public init(path: FieldPath, found: String?, suggestion: String? = nil) {
    self.path = path
    self.found = found
    self.suggestion = suggestion
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
    return error
  }
}
