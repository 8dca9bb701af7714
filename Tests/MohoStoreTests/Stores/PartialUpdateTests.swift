import Fixtures
import Foundation
import MohoMapping
import MohoRows
import StoreTesting
import Testing

@Suite(.allEngines) struct PartialUpdateTests {
  private let store: ModelStore

  init() throws {
    store = try emptyStore(Episode.self, Everything.self, Note.self)
    try store.write { try $0.save([Episode.number(1, season: 4), .number(2, season: 5)]) }
  }

  private func change(_ id: Int) -> Partial<Episode> {
    var change = Partial<Episode>()
    change[\.id] = id
    return change
  }

  private func update(_ partials: Partial<Episode>...) throws -> SaveReport {
    try store.write { try $0.update(partials) }
  }

  @Test func aValueIsNotThatOfThePartialModelBefore() throws {
    struct Memo: MappedModel, Equatable {
      var id: Int
      var text: String?
      static let mapping = Mapping(
        "Memo", Memo.init, .key("id", \.id, .unique), .key("text", \.text))
    }
    let store = try emptyStore(Memo.self)
    try store.write { try $0.save([Memo(id: 1, text: "a"), Memo(id: 2, text: "b")]) }
    let partials = [("x", 1), (nil, 2)].map { text, id in
      var partial = Partial<Memo>()
      partial[\.id] = id
      partial[\.text] = .some(text)
      return partial
    }

    let report = try store.write { try $0.update(partials) }

    #expect(report == SaveReport(updated: 2))
    #expect(
      try store.fetch(ModelRequest<Memo>().order(by: \.id)) == [
        Memo(id: 1, text: "x"), Memo(id: 2, text: nil),
      ])
  }

  @Test func onlyColumnsOfKeysThatArePresentAreWritten() throws {
    var change = change(1)
    change[\.title] = "New"
    change[\.season] = .some(nil)

    let report = try update(change)

    #expect(report == SaveReport(updated: 1))
    #expect(
      try store.fetch(ModelRequest<Episode>())
        == [.number(1, title: "New", season: nil), .number(2, season: 5)])
  }

  @Test func aRowThatHasTheValuesIsNotWritten() throws {
    var change = change(1)
    change[\.title] = "Episode 1"
    change[\.season] = 4
    let before = try store.writeMark(of: "Episode")

    let report = try update(change, self.change(2))

    #expect(report == SaveReport(unchanged: 2))
    let after = try store.writeMark(of: "Episode")
    #expect(after == before)
  }

  @Test func noRowIsMade() throws {
    var change = change(9)
    change[\.title] = "New"

    #expect(try update(change, self.change(8)) == SaveReport(missing: 2))
    #expect(try store.fetchCount(ModelRequest<Episode>()) == 2)
  }

  @Test func partsWithOtherKeysFollowOneAnother() throws {
    var first = change(1)
    first[\.title] = "A"
    var second = change(1)
    second[\.season] = 9
    var third = change(2)
    third[\.title] = "B"

    #expect(try update(first, second, third) == SaveReport(updated: 2, unchanged: 1))
    #expect(
      try store.fetch(ModelRequest<Episode>())
        == [.number(1, title: "A", season: 9), .number(2, title: "B", season: 5)])
  }

  @Test func theDifferenceOfTwoModelsIsAnUpdate() throws {
    let new = Episode.number(1, title: "C", season: nil)
    var difference = Partial(from: .number(1, season: 4), to: new)
    difference[\.id] = 1

    #expect(try update(difference) == SaveReport(updated: 1))
    #expect(try store.fetchFirst(ModelRequest<Episode>()) == new)
  }

  @Test func theUniqueKeyMustBeThere() throws {
    var change = Partial<Episode>()
    change[\.title] = "New"

    let error = #expect(throws: StoreError.self) { try update(change) }

    #expect(error?.code == .invalidRequest)
    #expect(error?.reason == "the partial model does not have the unique key `id`")
  }

  @Test func aModelWithoutAUniqueKeyIsRefused() throws {
    let error = #expect(throws: StoreError.self) {
      try store.write { try $0.update([Partial(Note(order: "a", description: "b"))]) }
    }

    #expect(error?.code == .invalidRequest)
  }

  @Test func propertiesThatAreNoColumnsAreLeftOut() throws {
    struct Cue: MappedModel {
      var id: Int
      var text: String
      var isShown: Bool
      var isPlayed: Bool

      static let mapping = Mapping(
        "Cue", Cue.init, .key("id", \.id, .unique), .key("text", \.text),
        .transient(\.isShown, default: false), .transient(\.isPlayed, default: false))
    }
    let store = try emptyStore(Cue.self)
    try store.write { try $0.save(Cue(id: 1, text: "a", isShown: true, isPlayed: true)) }
    var change = Partial<Cue>()
    change[\.id] = 1
    change[\.isShown] = true
    change[\.isPlayed] = true

    #expect(try store.write { try $0.update([change]) } == SaveReport(unchanged: 1))
    change[\.text] = "b"
    #expect(try store.write { try $0.update([change]) } == SaveReport(updated: 1))

    #expect(try store.fetchFirst(ModelRequest<Cue>())?.text == "b")
  }

  @Test func anErrorLeavesTheStoreAsItWas() throws {
    var change = Partial<Everything>()
    change[\.name] = "x"
    change[\.double] = .nan

    #expect(throws: MappingError.self) {
      try store.write { writer in
        try writer.save(Episode.number(3))
        try writer.update([change])
      }
    }
    #expect(try store.fetchCount(ModelRequest<Episode>()) == 2)
  }
}
