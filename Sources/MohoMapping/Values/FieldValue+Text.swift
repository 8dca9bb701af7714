public import Foundation

extension UUID: FieldValue {
  /// Text.
  public static var fieldType: FieldType { .string }

  /// Reads a UUID of its 36 characters, in either case.
  public static func decode(from decoder: any FieldDecoder, at index: Int) throws -> UUID {
    guard let uuid = UUID(uuidString: try decoder.string(at: index)) else {
      throw decoder.error(.invalidValue, at: index, expected: "UUID")
    }
    return uuid
  }

  /// Writes the UUID's 36 characters, in upper case.
  public func encode(to encoder: any FieldEncoder, at index: Int) throws {
    try encoder.encode(uuidString, at: index)
  }

  /// A UUID of zeros and the position.
  public static func sample(_ sample: FieldSample) -> UUID? {
    UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, UInt8(clamping: sample.number)))
  }
}
