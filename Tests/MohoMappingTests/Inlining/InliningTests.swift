import MohoMapping
import Testing

private struct Span: MappedModel, Equatable {
  var location: Int
  var length: Int

  static let mapping = Mapping(
    "Span", Span.init, .key("location", \.location), .key("length", \.length, json: "size.length"))
}

private struct Pair: MappedModel {
  var length: Int
  var one: Span
  var other: Span?

  static let mapping = Mapping(
    "Pair", Pair.init, .key("length", \.length, json: "size"), .inlined("one", \.one),
    .inlined("other", \.other))
}

private struct Box: MappedModel {
  var pair: Pair?
  static let mapping = Mapping("Box", Box.init, .inlined("pair", \.pair))
}

private final class Chain: MappedModel {
  let next: Chain?
  init(next: Chain?) { self.next = next }

  static let mapping = Mapping("Chain", Chain.init, .inlined("next", \.next))
}

private struct Sound: MappedModel {
  var id: Int
  var span: Span

  static let mapping = Mapping(
    "Sound", Sound.init, .key("id", \.id), .inlined("span", \.span))
}

@Suite struct InliningTests {
  @Test func keysOfInlinedModelsWithOnePathAreReported() {
    #expect(
      Pair.mapping.issues.map(\.description) == [
        "`length` is mapped to `size` and `Span.length` to `size.length`:"
          + " one path is inside the other",
        "`length` is mapped to `size` and `Span.length` to `size.length`:"
          + " one path is inside the other",
        "`Span.location` and `Span.location` are both mapped to `location`",
        "`Span.length` and `Span.length` are both mapped to `size.length`",
      ])
    #expect(Box.mapping.issues.isEmpty)
  }

  @Test func aModelInlinedInItselfIsAnIssue() {
    #expect(Chain.mapping.issues.map(\.description) == ["`Chain` is inlined in itself"])
    #expect(throws: MappingError.self) {
      try Chain.mapping.encode(Chain(next: nil), to: FieldRecorder())
    }
  }

  @Test func anInlinedKeyIsInlined() {
    #expect(Sound.mapping.issues == [])
    #expect(Sound.mapping.keys.map(\.isInlined) == [false, true])
    #expect(Sound.mapping.keys[1].type == .object)
  }
}
