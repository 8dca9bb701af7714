import Foundation
import MohoMapping

/// Decodes fields from values in memory: a format of the tests' own, which
/// shows what an adapter must do.
final class ScalarDecoder: FieldDecoder {
  private let scalars: [FieldScalar?]
  private(set) var reads = 0

  /// - Parameter scalars: The value at each key, nil where it is absent.
  init(_ scalars: [FieldScalar?]) { self.scalars = scalars }

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

  func field(at index: Int) -> FieldDescription {
    FieldDescription(
      path: FieldPath([.index(index)]), found: scalars[index].map(\.description))
  }
}
