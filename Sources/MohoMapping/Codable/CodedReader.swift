import Foundation

/// Reads the fields of one object that a `Decoder` of any format reads, or the
/// parts of an array or a dictionary.
final class CodedReader: FieldDecoder {
  private let path: FieldPath
  /// Where each field lies in the value; nil for keys that only a store holds.
  private let sources: [FieldPath?]
  private let finding: (Int) -> CodedValue.Finding
  /// The members of the object whose keys are read.
  private let members: CodedValue.CodedMembers?
  /// What was last looked for: a key is commonly asked for absence, for null
  /// and for its value in turn.
  private var last: (index: Int, finding: CodedValue.Finding)?

  /// Reads the keys of an object.
  init(_ members: CodedValue.CodedMembers, keys: [FieldPath?], path: FieldPath) {
    self.path = path
    self.members = members
    sources = keys
    finding = { index in keys[index].map { CodedValue.find($0, in: members) } ?? .nothing }
  }

  /// Reads values one by one, nil where they are null.
  private init(parts: [CodedValue?], sources: [FieldPath?], path: FieldPath) {
    self.path = path
    self.sources = sources
    members = nil
    finding = { index in parts[index].map { .value($0) } ?? .null }
  }

  func isAbsent(at index: Int) -> Bool {
    if isInlined(index) { return false }
    return if case .nothing = find(index) { true } else { false }
  }

  /// Whether a key's own keys lie among the others.
  private func isInlined(_ index: Int) -> Bool { sources[index]?.components.isEmpty == true }

  func isNull(at index: Int) throws -> Bool {
    if isInlined(index) { return false }
    return switch find(index) {
    case .nothing, .null: true
    case .value: false
    case .obstacle: throw error(at: index, expected: "object")
    }
  }

  func bool(at index: Int) throws -> Bool { try decode(index, "boolean") }
  func int64(at index: Int) throws -> Int64 { try decode(index, "integer") }
  func double(at index: Int) throws -> Double { try decode(index, "number") }
  func decimal(at index: Int) throws -> Decimal { try decode(index, "number") }
  func string(at index: Int) throws -> String { try decode(index, "string") }

  func uint64(at index: Int) throws -> UInt64 {
    let value = try value(at: index, expected: "integer")
    if let integer = try? value.decode(UInt64.self) { return integer }
    let isInteger = (try? value.decode(Int64.self)) != nil
    throw error(
      isInteger ? .invalidValue : .invalidType, at: index,
      expected: isInteger ? "non-negative integer" : "integer")
  }

  func data(at index: Int) throws -> Data {
    guard let data = Data(base64Encoded: try decode(index, "Base64 text") as String) else {
      throw error(.invalidValue, at: index, expected: "Base64 text")
    }
    return data
  }

  func date(at index: Int, _ format: DateFormat) throws -> Date {
    let value = try value(at: index, expected: format.expectation)
    let date: Date?
    if format.holdsText, var text = try? value.decode(String.self) {
      date = text.withUTF8 { format.date(utf8: $0) }
    } else if format.holdsNumbers, let number = try? value.decode(Double.self) {
      date = format.date(number)
    } else {
      throw error(at: index, expected: format.expectation)
    }
    guard let date else {
      throw error(.invalidValue, at: index, expected: format.expectation)
    }
    return date
  }

  func object(at index: Int, keys: MappingKeys) throws -> any FieldDecoder {
    CodedReader(
      isInlined(index) ? try inlinedMembers(at: index) : try members(at: index),
      keys: keys.keys.map(\.source), path: path(at: index))
  }

  func array(at index: Int) throws -> FieldElements {
    guard let elements = try value(at: index, expected: "array").elements else {
      throw error(at: index, expected: "array")
    }
    let sources = elements.indices.map { FieldPath([.index($0)]) }
    return FieldElements(
      decoder: CodedReader(parts: elements, sources: sources, path: path(at: index)),
      count: elements.count)
  }

  /// The members by ascending name: decoders do not tell their order.
  func dictionary(at index: Int) throws -> FieldMembers {
    let members = try members(at: index)
    let names = members.allKeys.map(\.stringValue).sorted()
    let parts = names.map { name -> CodedValue? in
      let value = CodedValue.member(members, CodedName(name))
      return value.isNull ? nil : value
    }
    let sources = names.map { FieldPath([.key($0)]) }
    return FieldMembers(
      decoder: CodedReader(parts: parts, sources: sources, path: path(at: index)), names: names)
  }

  func codable<Value: Decodable>(_ type: Value.Type, at index: Int) throws -> Value {
    let value = try value(at: index, expected: "\(type)")
    do {
      return try value.decode(type)
    } catch {
      throw refusal(of: type, at: index, error)
    }
  }

  func field(at index: Int) -> FieldDescription {
    switch find(index) {
    case .nothing: return FieldDescription(path: path(at: index), found: nil)
    case .null: return FieldDescription(path: path(at: index), found: "null")
    case .value(let value): return FieldDescription(path: path(at: index), found: value.summary)
    case .obstacle(let value, let steps, _):
      let passed = FieldPath(Array((sources[index]?.components ?? []).prefix(steps)))
      return FieldDescription(path: path.appending(passed), found: value.summary)
    }
  }

  private func path(at index: Int) -> FieldPath {
    sources[index].map { path.appending($0) } ?? path
  }

  private func find(_ index: Int) -> CodedValue.Finding {
    if let last, last.index == index { return last.finding }
    let finding = finding(index)
    last = (index, finding)
    return finding
  }

  private func value(at index: Int, expected: String) throws -> CodedValue {
    guard case .value(let value) = find(index) else { throw error(at: index, expected: expected) }
    return value
  }

  private func decode<Value: Decodable>(_ index: Int, _ expected: String) throws -> Value {
    let value = try value(at: index, expected: expected)
    do {
      return try value.decode(Value.self)
    } catch is DecodingError {
      throw error(at: index, expected: expected)
    }
  }

  private func inlinedMembers(at index: Int) throws -> CodedValue.CodedMembers {
    guard let members else { throw error(at: index, expected: "object") }
    return members
  }

  private func members(at index: Int) throws -> CodedValue.CodedMembers {
    guard let members = try value(at: index, expected: "object").members else {
      throw error(at: index, expected: "object")
    }
    return members
  }

  /// The error about what was found where another value was expected.
  private func error(at index: Int, expected: String) -> MappingError {
    switch find(index) {
    case .nothing: error(.missingValue, at: index, expected: expected)
    case .null: error(.unexpectedNull, at: index, expected: expected)
    case .value: error(.invalidType, at: index, expected: expected)
    case .obstacle(_, _, let container): error(.invalidType, at: index, expected: container)
    }
  }
}
