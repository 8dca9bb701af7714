import MohoMapping
import Testing

private struct Plays: MappedModel, Equatable {
  var plays: Int
  var note: String?
  var age = 0

  static let mapping = Mapping<Plays>(
    "Plays", Plays.init,
    .key("plays", \.plays), .key("note", \.note), .key("age", \.age, default: 0)
  )
  .merging(\.plays) { stored, incoming in stored + incoming }
  .merging(\.note, .incomingUnlessNil)
}

private struct Middle: MappedModel, Equatable {
  var title: String
  var tally: Plays

  static let mapping = Mapping(
    "Middle", Middle.init, .key("title", \.title), .inlined("tally", \.tally))
}

private struct Show: MappedModel, Equatable {
  var id: Int
  var middle: Middle
  var tally: Plays?
  var whole = Plays(plays: 0)

  static let mapping = Mapping<Show>(
    "Show", { Show(id: $0, middle: $1) },
    .key("id", \.id), .inlined("middle", \.middle))

  static let optional = Mapping<Show>(
    "Show", { Show(id: $0, middle: Middle(title: "", tally: Plays(plays: 0)), tally: $1) },
    .key("id", \.id), .inlined("tally", \.tally))

  static let own = Mapping<Show>(
    "Show",
    { Show(id: $0, middle: Middle(title: "", tally: Plays(plays: 0)), whole: $1) },
    .key("id", \.id), .inlined("whole", \.whole)
  )
  .merging(\.whole, .stored)
}

private enum Medium: MappedModel, Equatable {
  case audio(Plays)
  case video(Plays)

  static let mapping = Mapping<Medium>(
    "Medium", discriminator: "kind",
    .variant("audio", Medium.audio) { if case .audio(let tally) = $0 { tally } else { nil } },
    .variant("video", Medium.video) { if case .video(let tally) = $0 { tally } else { nil } })
}

@Suite struct InlinedMergingTests {
  private let stored = Plays(plays: 5, note: "kept", age: 1)
  private let incoming = Plays(plays: 3, note: nil, age: 2)
  private let merged = Plays(plays: 8, note: "kept", age: 2)

  private func show(_ title: String, _ tally: Plays) -> Show {
    Show(id: 1, middle: Middle(title: title, tally: tally))
  }

  private func show(_ tally: Plays?) -> Show {
    Show(id: 1, middle: Middle(title: "", tally: Plays(plays: 0)), tally: tally)
  }

  @Test func anInlinedModelIsMergedByItsOwnPolicies() {
    let out = Middle.mapping.merge(
      Middle(title: "new", tally: incoming), into: Middle(title: "old", tally: stored))

    #expect(out == Middle(title: "new", tally: merged))
  }

  @Test func inlinedModelsAtEveryLevelAreMergedByTheirOwnPolicies() {
    let out = Show.mapping.merge(show("new", incoming), into: show("old", stored))

    #expect(out == show("new", merged))
  }

  @Test func anOptionalInlinedModelIsMergedIfBothAreNotNil() {
    #expect(Show.optional.merge(show(incoming), into: show(stored)) == show(merged))
    #expect(Show.optional.merge(show(nil), into: show(stored)) == show(nil))
    #expect(Show.optional.merge(show(incoming), into: show(nil)) == show(incoming))
  }

  @Test func thePolicyOfTheKeyOverridesThoseOfTheInlinedModel() {
    var (one, other) = (show("", incoming), show("", stored))
    (one.whole, other.whole) = (incoming, stored)

    #expect(Show.own.merge(one, into: other).whole == stored)
  }

  @Test func aVariantIsMergedByThePoliciesOfItsModel() {
    #expect(Medium.mapping.merge(.audio(incoming), into: .audio(stored)) == .audio(merged))
    #expect(Medium.mapping.merge(.video(incoming), into: .audio(stored)) == .video(incoming))
  }
}
