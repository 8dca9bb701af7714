import Foundation
import MohoMapping
import MohoTesting
import Testing

@Suite struct FieldValueTests {
  private func decode<Value: FieldValue>(
    _ content: FieldContent?, as type: Value.Type = Value.self
  ) throws -> Value {
    try Value.decode(from: ContentDecoder([content]), at: 0)
  }

  private func expectRange<I: FixedWidthInteger & FieldValue>(of type: I.Type) throws {
    func content(_ value: some BinaryInteger) -> FieldContent {
      I.isSigned ? .int64(Int64(value)) : .uint64(UInt64(value))
    }
    #expect(try decode(content(I.min), as: I.self) == I.min)
    #expect(try decode(content(I.max), as: I.self) == I.max)
    guard I.bitWidth < 64 else { return }
    for outside in I.isSigned ? [Int(I.min) - 1, Int(I.max) + 1] : [Int(I.max) + 1] {
      let error = #expect(throws: MappingError.self) { try decode(content(outside), as: I.self) }
      #expect(error?.code == .invalidValue)
      #expect(error?.expected == "integer from \(I.min) to \(I.max)")
    }
  }

  @Test func integersOfEveryWidthRoundTrip() throws {
    try expectRange(of: Int8.self)
    try expectRange(of: Int16.self)
    try expectRange(of: Int32.self)
    try expectRange(of: Int64.self)
    try expectRange(of: Int.self)
    try expectRange(of: UInt8.self)
    try expectRange(of: UInt16.self)
    try expectRange(of: UInt32.self)
    try expectRange(of: UInt64.self)
    try expectRange(of: UInt.self)
  }

  @Test func onlyIntegersAboveTheSignedRangeAreUnsignedFields() {
    enum Code: UInt64, FieldValue { case one = 1 }

    #expect(
      [UInt64.fieldType, UInt.fieldType, UInt64?.fieldType, Code.fieldType].allSatisfy {
        $0 == .unsignedInteger
      })
    #expect(
      [Int64.fieldType, Int.fieldType, UInt32.fieldType, UInt8.fieldType].allSatisfy {
        $0 == .integer
      })
  }

  @Test func aUUIDIsAFieldOfItsOwn() { #expect(UUID?.fieldType == .uuid) }

  @Test func aNumberOutsideTheRangeOfFloatIsAnError() throws {
    #expect(try decode(.double(.infinity), as: Float.self) == .infinity)
    #expect(throws: MappingError.self) { try decode(.double(1e300), as: Float.self) }
  }

  @Test(arguments: ["", "http://[", "https://exa mple.com:port"])
  func anInvalidURLIsAnError(text: String) {
    let error = #expect(throws: MappingError.self) { try decode(.string(text), as: URL.self) }
    #expect(error?.expected?.hasPrefix("URL") == true)
  }

  @Test func aUUIDIsReadInUppercaseAndLowercase() throws {
    let uuid = UUID()

    #expect(try decode(.string(uuid.uuidString.lowercased())) == uuid)
    #expect(throws: MappingError.self) { try decode(.string("not a UUID"), as: UUID.self) }
  }
}

@Suite struct TransformTests {
  private struct Track: MappedModel, Equatable {
    var length: Duration
    var pause: Duration?

    static let mapping = Mapping(
      "Track", Track.init,
      .key("length", \.length, .seconds), .key("pause", \.pause, .seconds))
  }

  @Test func aTransformMapsValuesBothWays() throws {
    let track = try Track.mapping.model(from: ContentDecoder([.int64(90), .null]))
    let recorder = FieldRecorder()
    try Track.mapping.encode(track, to: recorder)

    #expect(track == Track(length: .seconds(90), pause: nil))
    #expect(recorder.contents == [.int64(90), .null])
    #expect(Track.mapping.keys.map(\.type) == [.integer, .integer])
    #expect(Track.mapping.keys.map(\.isOptional) == [false, true])
  }

  @Test func aValueThatATransformRejectsIsAnErrorWithItsPath() throws {
    let error = #expect(throws: MappingError.self) {
      try Track.mapping.model(from: ContentDecoder([.int64(-1), .int64(-2)]))
    }

    #expect(
      error?.description == """
        invalid value: number -1, expected seconds - `Track.length` at /0
        invalid value: number -2, expected seconds - `Track.pause` at /1
        """)
  }
}

extension Transform where Value == Duration {
  fileprivate static let seconds = Transform<Int64>.standard.map(
    expected: "seconds",
    to: { $0 < 0 ? nil : Duration.seconds($0) },
    from: { $0.components.seconds })
}
