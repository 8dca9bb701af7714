public import Foundation

extension Bool: FieldValue {
  /// A Boolean value.
  public static var fieldType: FieldType { .boolean }

  /// Reads a Boolean value.
  @inlinable
  public static func decode(from decoder: any FieldDecoder, at index: Int) throws -> Bool {
    try decoder.bool(at: index)
  }

  /// Writes a Boolean value.
  public func encode(to encoder: any FieldEncoder, at index: Int) throws {
    try encoder.encode(self, at: index)
  }

  /// True or false.
  public static func sample(_ sample: FieldSample) -> Bool? { sample.bit }
}

extension String: FieldValue {
  /// A string.
  public static var fieldType: FieldType { .string }

  /// Reads a string.
  @inlinable
  public static func decode(from decoder: any FieldDecoder, at index: Int) throws -> String {
    try decoder.string(at: index)
  }

  /// Writes a string.
  public func encode(to encoder: any FieldEncoder, at index: Int) throws {
    try encoder.encode(self, at: index)
  }

  /// A short string.
  public static func sample(_ sample: FieldSample) -> String? { "sample \(sample.number)" }
}

extension Double: FieldValue {
  /// A double-precision number.
  public static var fieldType: FieldType { .double }

  /// Reads a number.
  @inlinable
  public static func decode(from decoder: any FieldDecoder, at index: Int) throws -> Double {
    try decoder.double(at: index)
  }

  /// Writes a number.
  public func encode(to encoder: any FieldEncoder, at index: Int) throws {
    try encoder.encode(self, at: index)
  }

  /// A small number.
  public static func sample(_ sample: FieldSample) -> Double? { Double(sample.number) }
}

extension Float: FieldValue {
  /// A double-precision number. It represents every single-precision number
  /// exactly.
  public static var fieldType: FieldType { .double }

  /// A number.
  public static var fieldSchema: FieldSchema { FieldSchema(.number, storedAs: "float") }

  /// Reads a number and rounds it to single precision.
  ///
  /// - Throws: ``MappingError`` with code `invalidValue` if a finite number is
  ///   outside the range of the type.
  @inlinable
  public static func decode(from decoder: any FieldDecoder, at index: Int) throws -> Float {
    let double = try decoder.double(at: index)
    let float = Float(double)
    guard float.isFinite || !double.isFinite else {
      throw decoder.error(.invalidValue, at: index, expected: "number in single precision")
    }
    return float
  }

  /// Writes a number.
  public func encode(to encoder: any FieldEncoder, at index: Int) throws {
    try encoder.encode(self, at: index)
  }

  /// A small number.
  public static func sample(_ sample: FieldSample) -> Float? { Float(sample.number) }
}

extension Decimal: FieldValue {
  /// An exact decimal number.
  public static var fieldType: FieldType { .decimal }

  /// Reads an exact decimal number.
  @inlinable
  public static func decode(from decoder: any FieldDecoder, at index: Int) throws -> Decimal {
    try decoder.decimal(at: index)
  }

  /// Writes an exact decimal number.
  public func encode(to encoder: any FieldEncoder, at index: Int) throws {
    try encoder.encode(self, at: index)
  }

  /// A small number.
  public static func sample(_ sample: FieldSample) -> Decimal? { Decimal(sample.number) }
}

extension Data: FieldValue {
  /// Bytes.
  public static var fieldType: FieldType { .data }

  /// Reads bytes.
  @inlinable
  public static func decode(from decoder: any FieldDecoder, at index: Int) throws -> Data {
    try decoder.data(at: index)
  }

  /// Writes bytes.
  public func encode(to encoder: any FieldEncoder, at index: Int) throws {
    try encoder.encode(self, at: index)
  }

  /// A few bytes.
  public static func sample(_ sample: FieldSample) -> Data? { Data("\(sample.number)".utf8) }
}

extension Date: FieldValue {
  /// A date.
  public static var fieldType: FieldType { .date }

  /// A string in ISO 8601 format.
  public static var fieldSchema: FieldSchema { .date(.iso8601) }

  /// Reads a date. Text formats use ISO 8601.
  @inlinable
  public static func decode(from decoder: any FieldDecoder, at index: Int) throws -> Date {
    try decoder.date(at: index, .iso8601)
  }

  /// Writes a date. Text formats use ISO 8601.
  public func encode(to encoder: any FieldEncoder, at index: Int) throws {
    try encoder.encode(self, .iso8601, at: index)
  }

  /// A date in 2001.
  public static func sample(_ sample: FieldSample) -> Date? {
    Date(timeIntervalSinceReferenceDate: Double(sample.number))
  }
}

extension UUID: FieldValue {
  /// The string of a UUID.
  public static var fieldType: FieldType { .uuid }

  /// A string of format `uuid`.
  public static var fieldSchema: FieldSchema { .string(format: "uuid") }

  /// Reads a UUID from its 36 characters in uppercase or lowercase.
  public static func decode(from decoder: any FieldDecoder, at index: Int) throws -> UUID {
    guard let uuid = UUID(uuidString: try decoder.string(at: index)) else {
      throw decoder.error(.invalidValue, at: index, expected: "UUID")
    }
    return uuid
  }

  /// Writes the 36 characters of the UUID in uppercase.
  public func encode(to encoder: any FieldEncoder, at index: Int) throws {
    try encoder.encode(uuidString, at: index)
  }

  /// A UUID whose last byte is the sample number.
  public static func sample(_ sample: FieldSample) -> UUID? {
    UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, UInt8(clamping: sample.number)))
  }
}
