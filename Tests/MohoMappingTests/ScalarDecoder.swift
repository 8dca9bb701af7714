import Foundation
import MohoMapping

/// Decodes fields from values in memory: a format of the tests' own, which
/// shows what an adapter must do.
final class ScalarDecoder: FieldDecoder {
  private let scalars: [FieldScalar?]
  private let path: FieldPath
  private(set) var reads = 0

  /// - Parameter scalars: The value at each key, nil where it is absent.
  init(_ scalars: [FieldScalar?], path: FieldPath = FieldPath([])) {
    self.scalars = scalars
    self.path = path
  }

  private func read<Value>(
    _ index: Int, _ expected: String, _ value: (FieldScalar) -> Value?
  ) throws -> Value {
    reads += 1
    guard let scalar = scalars[index] else {
      throw error(.missingValue, at: index, expected: expected)
    }
    guard let value = value(scalar) else {
      throw error(
        scalar == .null ? .unexpectedNull : .invalidType, at: index, expected: expected)
    }
    return value
  }

  func isAbsent(at index: Int) -> Bool { scalars[index] == nil }
  func isNull(at index: Int) -> Bool { (scalars[index] ?? .null) == .null }

  func bool(at index: Int) throws -> Bool {
    try read(index, "true or false") { if case .bool(let value) = $0 { value } else { nil } }
  }

  func int64(at index: Int) throws -> Int64 {
    try read(index, "integer") { if case .int64(let value) = $0 { value } else { nil } }
  }

  func uint64(at index: Int) throws -> UInt64 {
    try read(index, "integer") { scalar in
      switch scalar {
      case .uint64(let value): value
      case .int64(let value): UInt64(exactly: value)
      default: nil
      }
    }
  }

  func double(at index: Int) throws -> Double {
    try read(index, "number") { if case .double(let value) = $0 { value } else { nil } }
  }

  func decimal(at index: Int) throws -> Decimal {
    try read(index, "number") { if case .decimal(let value) = $0 { value } else { nil } }
  }

  func string(at index: Int) throws -> String {
    try read(index, "string") { if case .string(let value) = $0 { value } else { nil } }
  }

  func data(at index: Int) throws -> Data {
    try read(index, "bytes") { if case .data(let value) = $0 { value } else { nil } }
  }

  func date(at index: Int, _ format: DateFormat) throws -> Date {
    try read(index, format.expectation) { if case .date(let value) = $0 { value } else { nil } }
  }

  func object(at index: Int, keys: MappingKeys) throws -> any FieldDecoder {
    try read(index, "object") { scalar in
      guard case .object(let fields) = scalar else { return nil }
      return ScalarDecoder(fields, path: path.appending(.index(index)))
    }
  }

  func array(at index: Int) throws -> FieldElements {
    try read(index, "array") { scalar in
      guard case .array(let elements) = scalar else { return nil }
      let decoder = ScalarDecoder(elements, path: path.appending(.index(index)))
      return FieldElements(decoder: decoder, count: elements.count)
    }
  }

  func dictionary(at index: Int) throws -> FieldMembers {
    try read(index, "dictionary") { scalar in
      guard case .dictionary(let members) = scalar else { return nil }
      let sorted = members.sorted { $0.key < $1.key }
      let decoder = ScalarDecoder(sorted.map(\.value), path: path.appending(.index(index)))
      return FieldMembers(decoder: decoder, names: sorted.map(\.key))
    }
  }

  func field(at index: Int) -> FieldDescription {
    FieldDescription(
      path: path.appending(.index(index)), found: scalars[index].map(\.description))
  }
}
