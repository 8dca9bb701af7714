extension FieldValue where Self: FixedWidthInteger {
  /// An unsigned integer for `UInt` and `UInt64`, whose values can be greater than
  /// `Int64.max`, and an integer for all other types.
  public static var fieldType: FieldType {
    Int64(exactly: max) == nil ? .unsignedInteger : .integer
  }

  /// Reads an integer. A number outside the range of the type is an error.
  @inlinable
  public static func decode(from decoder: any FieldDecoder, at index: Int) throws -> Self {
    // Not a method of the decoder: called through an existential, it would not
    // be specialized for the type.
    let value =
      isSigned
      ? Self(exactly: try decoder.int64(at: index))
      : Self(exactly: try decoder.uint64(at: index))
    guard let value else {
      throw decoder.error(.invalidValue, at: index, expected: "integer from \(min) to \(max)")
    }
    return value
  }

  /// Writes an integer.
  @inlinable
  public func encode(to encoder: any FieldEncoder, at index: Int) throws {
    if Self.isSigned {
      try encoder.encode(Int64(self), at: index)
    } else {
      try encoder.encode(UInt64(self), at: index)
    }
  }

  /// A small number.
  public static func sample(_ sample: FieldSample) -> Self? { Self(exactly: sample.number) }
}

extension Int: FieldValue {}
extension Int8: FieldValue {}
extension Int16: FieldValue {}
extension Int32: FieldValue {}
extension Int64: FieldValue {}
extension UInt: FieldValue {}
extension UInt8: FieldValue {}
extension UInt16: FieldValue {}
extension UInt32: FieldValue {}
extension UInt64: FieldValue {}
