import Foundation
import MohoMapping
import MohoRows

/// The values of a row of a result, in the form in which the server sent them.
protocol PostgresValues {
  func isNull(_ column: Int) -> Bool

  /// Calls a closure with the bytes of a value, which are valid until it returns.
  /// A null value has no bytes.
  func withBytes<Result>(
    _ column: Int, _ body: (UnsafeRawBufferPointer) throws -> Result
  ) rethrows -> Result
}

extension PostgresValues {
  /// An integer of any size or a Boolean value. 0 if the value is null.
  @inline(__always)
  func int64(_ column: Int) -> Int64 { optionalInt64(column) ?? 0 }

  /// An integer of any size or a Boolean value, or nil if the value is null.
  @inline(__always)
  func optionalInt64(_ column: Int) -> Int64? {
    withBytes(column) { Int64(binary: $0) }
  }

  func int(_ column: Int) -> Int { Int(int64(column)) }

  func bool(_ column: Int) -> Bool { int64(column) != 0 }

  func double(_ column: Int) -> Double { Double(bitPattern: UInt64(bitPattern: int64(column))) }

  func date(_ column: Int) -> Date { PostgresDate.date(int64(column)) }

  /// The text of a value of a text type. Empty if the value is null.
  @inline(__always)
  func string(_ column: Int) -> String {
    withBytes(column) { String(decoding: $0, as: UTF8.self) }
  }

  /// The text, or nil if the value is null.
  @inline(__always)
  func optionalString(_ column: Int) -> String? {
    let text = string(column)
    return text.isEmpty && isNull(column) ? nil : text
  }

  func data(_ column: Int) -> Data { withBytes(column) { Data($0) } }

  /// The number, or nil if it is null or a `Decimal` cannot represent it.
  func decimal(_ column: Int) -> Decimal? { withBytes(column) { PostgresNumeric($0)?.decimal } }

  /// The number, or nil if it is null or not an unsigned integer of 64 bits.
  func uint64(_ column: Int) -> UInt64? {
    withBytes(column) { PostgresNumeric($0)?.unsignedInteger }
  }

  /// The UUID, or nil if the value is null.
  func uuid(_ column: Int) -> UUID? {
    withBytes(column) { bytes in
      bytes.count == 16 ? UUID(uuid: bytes.loadUnaligned(as: uuid_t.self)) : nil
    }
  }

  /// The elements of an array of integers. Null elements are omitted.
  func int64s(_ column: Int) -> [Int64] { elements(column) { Int64(binary: $0) } }

  /// The elements of an array of texts. Null elements are omitted.
  func strings(_ column: Int) -> [String] {
    elements(column) { String(decoding: $0, as: UTF8.self) }
  }

  private func elements<Element>(
    _ column: Int, _ element: (UnsafeRawBufferPointer) -> Element?
  ) -> [Element] {
    withBytes(column) { bytes in
      var reader = BinaryReader(bytes)
      guard reader.arrayCount() != nil else { return [] }
      var values: [Element] = []
      while let value = reader.value() {
        if let value = value.flatMap(element) { values.append(value) }
      }
      return values
    }
  }

  /// The value in the form that stores exchange: UUIDs are uppercase text, and
  /// structured values are compact JSON text with sorted members.
  ///
  /// - Throws: A `MappingError` if the value has no such form, for example a
  ///   number with more digits than a `Decimal` has.
  func content(_ column: Int, as type: PostgresType) throws -> FieldContent {
    if isNull(column) { return .null }
    switch type {
    case .bool: return .bool(bool(column))
    case .int2, .int4, .int8: return .int64(int64(column))
    case .float8: return .double(double(column))
    case .timestamptz: return .date(date(column))
    case .text: return .string(string(column))
    case .bytea: return .data(data(column))
    case .numeric:
      guard let decimal = decimal(column) else {
        throw MappingError(
          .invalidValue, found: "number that is infinite or has too many digits",
          expected: "decimal number")
      }
      return .decimal(decimal)
    case .uint64:
      guard let value = uint64(column) else {
        let number = decimal(column).map { "number \($0)" } ?? "number"
        throw MappingError(
          .invalidValue, found: number, expected: "integer from 0 to \(UInt64.max)")
      }
      return Int64(exactly: value).map { .int64($0) } ?? .uint64(value)
    case .uuid:
      guard let uuid = uuid(column) else {
        throw MappingError(.invalidValue, found: "other bytes", expected: "UUID")
      }
      return .string(uuid.uuidString)
    case .jsonb:
      // The first byte is the version of the binary form.
      let json = withBytes(column) { Data($0.dropFirst()) }
      guard let text = StructuredValue.canonical(json) else {
        throw MappingError(.invalidValue, found: "other text", expected: "JSON")
      }
      return .string(text)
    }
  }

  /// The JSON text of a `jsonb` value, as PostgreSQL formats it.
  func json(_ column: Int) -> String {
    withJSON(column) { String(decoding: $0, as: UTF8.self) }
  }

  /// Calls a closure with the JSON text of a `jsonb` value.
  func withJSON<Result>(_ column: Int, _ body: (UnsafeRawBufferPointer) -> Result) -> Result {
    // The first byte is the version of the binary form.
    withBytes(column) { body(UnsafeRawBufferPointer(rebasing: $0.dropFirst())) }
  }
}
