import Fixtures
import MohoMapping
import Testing

private struct Pair: Sendable {
  var title: String
  var summary: String
  var note: String?

  init(title: String, summary: String, note: String?) {
    (self.title, self.summary, self.note) = (title, summary, note)
  }

  init(summary: String, title: String) {
    (self.title, self.summary) = (title, summary)
  }
}

private struct Flags: Sendable {
  var a, b, c, d, e: Bool
}

private enum Opaque: String, FieldValue { case one, two }

private struct Unsampled: Sendable {
  var opaque: Opaque
  var first: Int
  var second: Int
}

@Suite struct MappingDeclarationTests {
  @Test func aSoundDeclarationHasNoIssues() {
    #expect(Episode.mapping.issues == [])
    #expect(
      Episode.mapping.keys.map(\.name) == [
        "id", "title", "summary", "kind", "publishedAt", "thumbnailURL", "season", "isPlayed",
        "isExpanded",
      ])
    #expect(Episode.mapping.keys[0].traits == .unique)
    #expect(Episode.mapping.keys[2].source?.pointer == "/description")
    #expect(Episode.mapping.keys[5].source?.pointer == "/thumbnail/url")
    #expect(Episode.mapping.keys[5].isOptional)
  }

  @Test func keysAreFoundByKeyPath() {
    #expect(Episode.mapping.key(for: \Episode.publishedAt)?.name == "publishedAt")
    #expect(Episode.mapping.key(for: \Episode.title.count) == nil)
  }

  @Test func swappedKeysOfTheSameTypeAreNamed() {
    let mapping = Mapping(
      "Pair", Pair.init(title:summary:note:),
      .key("summary", \.summary), .key("title", \.title), .key("note", \.note))

    #expect(
      mapping.issues.map(\.description) == [
        "`summary` is declared where the initializer takes `title`:"
          + " declare keys in the order of its arguments",
        "`title` is declared where the initializer takes `summary`:"
          + " declare keys in the order of its arguments",
      ])
  }

  @Test func anInitializerCanTakeArgumentsInAnyOrder() {
    let sound = Mapping(
      "Pair", Pair.init(summary:title:), .key("summary", \.summary), .key("title", \.title))
    let swapped = Mapping(
      "Pair", Pair.init(summary:title:), .key("title", \.title), .key("summary", \.summary))

    #expect(sound.issues == [])
    #expect(swapped.issues.count == 2)
  }

  @Test func everySwapOfTwoBooleansIsFound() {
    let paths: [any WritableKeyPath<Flags, Bool> & Sendable] = [\.a, \.b, \.c, \.d, \.e]
    for i in paths.indices {
      for j in paths.indices where i != j {
        var order = paths
        order.swapAt(i, j)
        let mapping = Mapping(
          "Flags", Flags.init,
          .key("0", order[0]), .key("1", order[1]), .key("2", order[2]), .key("3", order[3]),
          .key("4", order[4]))
        #expect(mapping.issues.count == 2, "swapped \(i) and \(j)")
      }
    }
  }

  @Test func theOrderInMemoryIsNotEvidence() {
    let memberwise = Mapping(
      "Unsampled", Unsampled.init,
      .key("opaque", \.opaque), .key("first", \.first), .key("second", \.second))
    let reordered = Mapping<Unsampled>(
      "Unsampled", { Unsampled(opaque: $0, first: $2, second: $1) },
      .key("opaque", \.opaque), .key("second", \.second), .key("first", \.first))

    for mapping in [memberwise, reordered] {
      #expect(mapping.issues == [])
      #expect(mapping.notes.count == 1)
    }
  }

  @Test(
    arguments: [
      ("", "x", "the path `x` has an empty component", "a key has no name"),
      ("a", "x..y", "`a`: the path `x..y` has an empty component", nil),
      ("a", "", "`a`: the path `` has an empty component", nil),
      ("a", "x[b]", "`a`: the path `x[b]` has a malformed index", nil),
      ("a", "x[1]y", "`a`: the path `x[1]y` has a malformed index", nil),
      ("_moho_id", "x", "`_moho_id`: names that start with `_moho` are reserved", nil),
      ("a", "_moho_order", "`a`: the path `_moho_order` has a member that starts", nil),
      ("a", "x.y[2]._moho_json", "`a`: the path `x.y[2]._moho_json` has a member that", nil),
    ] as [(String, String, String, String?)])
  func aMalformedKeyIsReported(name: String, path: String, issue: String, other: String?) {
    let mapping = Mapping(
      "Pair", Pair.init(summary:title:),
      .key(name, \.summary, json: path), .key("title", \.title))

    let expected = other ?? issue
    #expect(mapping.issues.map(\.description).contains { $0.hasPrefix(expected) })
  }

  @Test func conflictsAreReportedTogether() {
    let mapping = Mapping(
      "", Pair.init(title:summary:note:),
      .key("title", \.title, json: "x"),
      .key("Title", \.summary, json: "x.y"),
      .key("note", \.note, json: "x"))

    #expect(
      mapping.issues.map(\.description) == [
        "the mapping has no name",
        "`title` and `Title` have the same name",
        "`title` is mapped to `x` and `Title` to `x.y`: one path is inside the other",
        "`title` and `note` are both mapped to `x`",
        "`Title` is mapped to `x.y` and `note` to `x`: one path is inside the other",
      ])
  }

  @Test func aContainerCannotBeBothAnObjectAndAnArray() {
    let mapping = Mapping(
      "Pair", Pair.init(title:summary:note:),
      .key("title", \.title, json: "x[0].title"),
      .key("summary", \.summary, json: "x.summary"),
      .key("note", \.note, json: "x[0].note"))

    #expect(
      mapping.issues.map(\.description) == [
        "`title` is mapped to `x[0].title` and `summary` to `x.summary`:"
          + " one path expects an object where the other expects an array",
        "`summary` is mapped to `x.summary` and `note` to `x[0].note`:"
          + " one path expects an object where the other expects an array",
      ])
  }
}
