/// Creates a sample of a `Codable` type: its `init(from:)` decodes a sample of each value
/// that it requests.
///
/// A type that refuses the samples has none. Nil and empty collections end recursive
/// types.
struct SampleDecoder: Decoder {
  private let next: SampleSequence
  private let depth: Int
  var codingPath: [any CodingKey] { [] }
  var userInfo: [CodingUserInfoKey: Any] { [:] }

  /// A sample of a type.
  ///
  /// - Throws: An error if the type refuses the samples or is nested too deep.
  static func value<Value: Decodable>(_ type: Value.Type, _ sample: FieldSample) throws -> Value {
    try SampleDecoder(next: SampleSequence(sample), depth: 0).value(type)
  }

  private init(next: SampleSequence, depth: Int) {
    self.next = next
    self.depth = depth
  }

  /// Whether optional values are nil and collections empty.
  fileprivate var isDeep: Bool { depth > 3 }

  fileprivate func value<Value: Decodable>(_ type: Value.Type) throws -> Value {
    guard depth < 16, next.sample.context.countModel(isOmissible: isDeep) else {
      throw MappingError(.tooDeep)
    }
    defer { next.advance() }
    // In two steps, because casting nil to an optional type succeeds.
    if let sample = sampleOfType(type, next.sample), let value = sample as? Value { return value }
    return try Value(from: SampleDecoder(next: next, depth: depth + 1))
  }

  func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedDecodingContainer<Key> {
    KeyedDecodingContainer(SampleKeys(decoder: self))
  }

  func unkeyedContainer() -> any UnkeyedDecodingContainer { SampleElements(decoder: self) }
  func singleValueContainer() -> any SingleValueDecodingContainer { SampleValue(decoder: self) }
}

/// The samples of one value's parts.
private final class SampleSequence {
  private(set) var sample: FieldSample

  init(_ sample: FieldSample) { self.sample = sample }

  func advance() { sample = sample.advanced(by: 1) }
}

private struct SampleKeys<Key: CodingKey>: KeyedDecodingContainerProtocol {
  let decoder: SampleDecoder
  var codingPath: [any CodingKey] { [] }

  /// The first case of a `CaseIterable` key type.
  var allKeys: [Key] {
    func first<Cases: CaseIterable>(_ type: Cases.Type) -> Key? { type.allCases.first as? Key }
    return (Key.self as? any CaseIterable.Type).flatMap { first($0) }.map { [$0] } ?? []
  }

  func contains(_ key: Key) -> Bool { true }
  func decodeNil(forKey key: Key) -> Bool { decoder.isDeep }

  func decode<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value {
    try decoder.value(type)
  }

  func nestedContainer<Nested: CodingKey>(
    keyedBy type: Nested.Type, forKey key: Key
  ) -> KeyedDecodingContainer<Nested> {
    decoder.container(keyedBy: type)
  }

  func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedDecodingContainer {
    decoder.unkeyedContainer()
  }

  func superDecoder() -> any Decoder { decoder }
  func superDecoder(forKey key: Key) -> any Decoder { decoder }
}

private struct SampleElements: UnkeyedDecodingContainer {
  let decoder: SampleDecoder
  private(set) var currentIndex = 0
  var codingPath: [any CodingKey] { [] }
  var count: Int? { decoder.isDeep ? 0 : 1 }
  var isAtEnd: Bool { currentIndex >= (decoder.isDeep ? 0 : 1) }

  init(decoder: SampleDecoder) { self.decoder = decoder }

  mutating func decodeNil() -> Bool { false }

  mutating func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
    currentIndex += 1
    return try decoder.value(type)
  }

  mutating func nestedContainer<Nested: CodingKey>(
    keyedBy type: Nested.Type
  ) -> KeyedDecodingContainer<Nested> {
    currentIndex += 1
    return decoder.container(keyedBy: type)
  }

  mutating func nestedUnkeyedContainer() -> any UnkeyedDecodingContainer {
    currentIndex += 1
    return SampleElements(decoder: decoder)
  }

  mutating func superDecoder() -> any Decoder {
    currentIndex += 1
    return decoder
  }
}

private struct SampleValue: SingleValueDecodingContainer {
  let decoder: SampleDecoder
  var codingPath: [any CodingKey] { [] }

  func decodeNil() -> Bool { decoder.isDeep }
  func decode<Value: Decodable>(_ type: Value.Type) throws -> Value { try decoder.value(type) }
}
