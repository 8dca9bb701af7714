import Foundation
import MohoMapping
import MohoTesting
import Testing

private enum Kind: String, CaseIterable, FieldValue { case free, paid }

/// A model in which some keys have defaults.
private struct Defaulted: MappedModel, Equatable {
  var id: Int
  var title: String
  var kind: Kind
  var season: Int?
  var rating: Double?
  var isPlayed: Bool

  static let mapping = Mapping(
    "Defaulted", Defaulted.init,
    .key("id", \.id, .unique),
    .key("title", \.title, default: "untitled"),
    .key("kind", \.kind),
    .key("season", \.season, default: 1),
    .key("rating", \.rating),
    .transient(\.isPlayed, default: true))
}

@Suite struct DecodingTests {
  private let whole: [FieldContent?] = [
    .int64(7), .string("Basalt"), .string("paid"), .int64(2), .double(4.5), nil,
  ]

  private func decode(_ contents: [FieldContent?]) throws -> Defaulted {
    try Defaulted.mapping.model(from: ContentDecoder(contents))
  }

  private func replacing(_ index: Int, by content: FieldContent?) -> [FieldContent?] {
    var contents = whole
    contents[index] = content
    return contents
  }

  @Test func everyKeyIsReadIntoItsProperty() throws {
    #expect(
      try decode(whole)
        == Defaulted(id: 7, title: "Basalt", kind: .paid, season: 2, rating: 4.5, isPlayed: true))
  }

  @Test func aDefaultReplacesAbsenceButNotNull() throws {
    #expect(try decode(replacing(1, by: nil)).title == "untitled")
    #expect(try decode(replacing(3, by: nil)).season == 1)
    #expect(try decode(replacing(3, by: .null)).season == nil)
    #expect(try decode(replacing(4, by: nil)).rating == nil)
    #expect(try decode(replacing(4, by: .null)).rating == nil)
  }

  @Test(
    arguments: [
      (0, nil, "missing value for `Defaulted.id` at /0"),
      (0, .null, "unexpected null: null, expected integer - `Defaulted.id` at /0"),
      (1, .null, "unexpected null: null, expected string - `Defaulted.title` at /1"),
      (
        2, .string("series"),
        "invalid value: string \"series\", expected one of \"free\", \"paid\""
          + " - `Defaulted.kind` at /2"
      ),
      (
        3, .string("x"), "invalid type: string \"x\", expected integer - `Defaulted.season` at /3"
      ),
    ] as [(Int, FieldContent?, String)])
  func anInvalidTypeIsAnErrorWithItsPath(
    index: Int, content: FieldContent?, message: String
  ) throws {
    let error = #expect(throws: MappingError.self) { try decode(replacing(index, by: content)) }

    #expect(error?.description == message)
    #expect(error?.errors.count == 1)
  }

  @Test func allErrorsComeInDeclarationOrder() throws {
    let error = #expect(throws: MappingError.self) {
      try decode([.string("x"), .int64(1), .string("paid"), .double(1), nil, nil])
    }

    #expect(error?.code == .severalErrors)
    #expect(error?.errors.map(\.key) == ["id", "title", "season"])
    #expect(
      error?.description == """
        invalid type: string "x", expected integer - `Defaulted.id` at /0
        invalid type: number 1, expected string - `Defaulted.title` at /1
        invalid type: number 1.0, expected integer - `Defaulted.season` at /3
        """)
  }

  @Test func successfulKeysAreReadOnce() throws {
    let decoder = ContentDecoder(whole)

    _ = try Defaulted.mapping.model(from: decoder)

    #expect(decoder.reads == 5)
  }

  @Test func encodingWritesWhatDecodingReads() throws {
    let recorder = FieldRecorder()

    try Defaulted.mapping.encode(decode(whole), to: recorder)

    #expect(recorder.contents.map(Optional.some) == whole.dropLast())
  }

  @Test func aMappingWithIssuesDecodesAndEncodesNothing() throws {
    let mapping = Mapping(
      "Defaulted", Defaulted.init,
      .key("id", \.id), .key("id", \.title), .key("kind", \.kind), .key("season", \.season),
      .key("rating", \.rating), .transient(\.isPlayed, default: true))

    let decoding = #expect(throws: MappingError.self) {
      try mapping.model(from: ContentDecoder(whole))
    }
    let encoding = #expect(throws: MappingError.self) {
      try mapping.encode(decode(whole), to: FieldRecorder())
    }

    #expect(decoding?.code == .invalidDeclaration)
    #expect(
      encoding?.description
        == "invalid mapping: `Defaulted` - two keys have the name `id`")
  }
}
