import Campaigns
import MohoMapping
import Testing

private struct Folder: MappedModel, Equatable {
  var title: String?
  var others: [String: Int]

  static let mapping = Mapping(
    "Folder", Folder.init, .key("title", \.title, json: "o.title"), .unknown("others", \.others))
}

/// The name of an unknown member is a path. An app can give it any number of steps.
@Suite struct LongMemberNameTests {
  private static func name(_ steps: Int) -> String {
    "o" + String(repeating: ".a", count: steps - 1)
  }

  @Test(arguments: [129, 100_000])
  func partialModelsChangeMembersWithLongNames(steps: Int) throws {
    try onSmallStack {
      let name = Self.name(steps)
      let part = Folder(title: "t", others: ["x": 1, name: 2])
      var other = part
      other.others = ["o": 3, name: 4, name + ".b": 5]

      let patch = Partial(from: part, to: other)
      #expect(patch.applied(to: part) == other)
      var third = part
      third.others["w"] = 6
      #expect(
        patch.applied(to: third).others == ["w": 6, "o": 3, name: 4, name + ".b": 5])
    }
  }

  @Test(arguments: [129, 100_000])
  func newKeysDoNotTakeMembersWithLongNames(steps: Int) throws {
    struct Newer: MappedModel {
      var a: Int?
      var others: [String: Int]

      static let mapping = Mapping(
        "Folder", Newer.init, .key("a", \.a, json: "o.a"), .unknown("others", \.others))
    }
    try onSmallStack {
      let name = Self.name(steps)
      let taking = try #require(MemberTaking(Newer.mapping))

      let taken = try taking.members(
        of: .string(#"{"o.a":1,"\#(name)":2}"#), adding: [], where: { _ in true })

      #expect(taken?.contents == [0: .int64(1)])
      #expect(taken?.remaining == .string(#"{"\#(name)":2}"#))
      #expect(taken?.losses.isEmpty == true)
    }
  }
}
