import MohoMapping
import MohoTesting
import Testing

private struct Note: MappedModel, Equatable {
  var title: String
  var rank: Int
  var summary: String?
  var kind: String?

  static let mapping = Mapping(
    "Note", Note.init,
    .key("title", \.title, .nullIsAbsent),
    .key("rank", \.rank, default: 7, .nullIsAbsent),
    .key("summary", \.summary, .nullIsAbsent),
    .key("kind", \.kind, Transform<String>.standard.optional, default: "free", .nullIsAbsent))
}

@Suite struct NullTraitTests {
  private func decode(_ contents: FieldContent?...) throws -> Note {
    try Note.mapping.model(from: ContentDecoder(contents))
  }

  @Test func nullIsReadAsAbsence() throws {
    let whole = Note(title: "a", rank: 7, summary: nil, kind: "free")

    #expect(try decode(.string("a"), .null, .null, .null) == whole)
    #expect(try decode(.string("a"), nil, nil, nil) == whole)
    #expect(
      try decode(.string("a"), .int64(1), .string("s"), .string("paid"))
        == Note(title: "a", rank: 1, summary: "s", kind: "paid"))
  }

  @Test func nullOfARequiredKeyIsAMissingValue() {
    for content in [nil, FieldContent.null] {
      let error = #expect(throws: MappingError.self) { try decode(content, nil, nil, nil) }
      #expect(error?.description == "missing value for `Note.title` at /0")
    }
  }

  @Test func aValueOfAnotherTypeIsAnError() {
    let error = #expect(throws: MappingError.self) {
      try decode(.int64(1), .string("x"), .int64(1), .int64(1))
    }
    #expect(error?.errors.map(\.key) == ["title", "rank", "summary", "kind"])
    #expect(error?.errors.allSatisfy { $0.code == .invalidType } == true)
  }

  @Test func aPartialModelIgnoresNullIfNullIsAbsent() throws {
    let partial = try Note.mapping.partial(
      from: ContentDecoder([.null, .null, .null, .string("paid")]))

    #expect(partial.keys.map(\.name) == ["kind"])
  }

  @Test func theMappingLawsRespectTheTrait() {
    let notes = [
      Note(title: "a", rank: 1, summary: nil, kind: "x"),
      Note(title: "b", rank: 2, summary: "s", kind: "free"),
    ]
    #expect(MappingLaws.violations(of: Note.self, samples: notes) == [])
  }

  @Test func conflictingNilTraitsAreAnIssue() {
    struct Both: MappedModel {
      var name: String?
      static let mapping = Mapping(
        "Both", Both.init, .key("name", \.name, KeyTraits([.nilAsNull, .nilOmitted])))
    }

    #expect(
      Both.mapping.issues.map(\.description) == [
        "`name`: the traits `nilAsNull` and `nilOmitted` exclude each other"
      ])
  }
}
