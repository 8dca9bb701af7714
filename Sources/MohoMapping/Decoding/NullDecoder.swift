import Foundation

/// Decodes null for every key.
final class NullDecoder: FieldDecoder {
  func isAbsent(at index: Int) -> Bool { false }
  func isNull(at index: Int) throws -> Bool { true }
  func bool(at index: Int) throws -> Bool { throw error(at: index) }
  func int64(at index: Int) throws -> Int64 { throw error(at: index) }
  func uint64(at index: Int) throws -> UInt64 { throw error(at: index) }
  func double(at index: Int) throws -> Double { throw error(at: index) }
  func decimal(at index: Int) throws -> Decimal { throw error(at: index) }
  func string(at index: Int) throws -> String { throw error(at: index) }
  func data(at index: Int) throws -> Data { throw error(at: index) }
  func date(at index: Int, _ format: DateFormat) throws -> Date { throw error(at: index) }

  func field(at index: Int) -> FieldDescription {
    FieldDescription(path: FieldPath([]), found: "null")
  }

  private func error(at index: Int) -> MappingError {
    error(.unexpectedNull, at: index, expected: "value")
  }
}
