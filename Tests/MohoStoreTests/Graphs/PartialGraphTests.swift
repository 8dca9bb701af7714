import Foundation
import MohoMapping
import MohoRows
import StoreTesting
import Testing

@Suite(.allEngines) struct PartialGraphTests {
  private let store: ModelStore
  private let parts = [Part(code: "a", title: "A"), Part(code: "b", title: "B")]

  init() throws {
    store = try emptyStore(Series.self)
    try store.write { writer in
      try writer.save(
        Series(
          id: 1, title: "One", parts: parts, opening: try ModelReference(key: "a"),
          guests: [Guest(name: "Inge")], related: [try ModelReference(key: 1)]))
    }
  }

  private func update(_ change: (inout Partial<Series>) throws -> Void) throws -> SaveReport {
    var partial = Partial<Series>()
    partial[\.id] = 1
    try change(&partial)
    return try store.write { try $0.update([partial]) }
  }

  private var show: Series {
    get throws { try #require(try store.fetchFirst(ModelRequest<Series>())) }
  }

  @Test func absentRelationsStay() throws {
    let before = try show

    #expect(try update { $0[\.title] = "New" } == SaveReport(updated: 1))

    var after = before
    after.title = "New"
    #expect(try show == after)
  }

  @Test func nilClearsALinkToOne() throws {
    #expect(try update { $0[\.opening] = .some(nil) } == SaveReport(updated: 1))
    #expect(try show.opening == nil)
    #expect(try update { $0[\.opening] = .some(nil) } == SaveReport(unchanged: 1))
  }

  @Test func emptyCollectionsClearLinksToMany() throws {
    let report = try update {
      $0[\.parts] = []
      $0[\.guests] = []
      $0[\.related] = []
    }

    #expect(report == SaveReport(unchanged: 1, unlinked: 4))
    let show = try show
    #expect(show.parts.isEmpty && show.guests.isEmpty && show.related.isEmpty)
    #expect(show.opening?.key == .string("a"))
    #expect(try store.count("Part") == 2)
  }

  @Test func nilClearsACollectionThatMayBeNil() throws {
    struct Box: MappedModel {
      var id: Int
      var guests: [Guest]?
      static let mapping = Mapping(
        "Box", Box.init, .key("id", \.id, .unique), .toMany("guests", \.guests))
    }
    let store = try emptyStore(Box.self)
    try store.write { try $0.save(Box(id: 1, guests: [Guest(name: "a")])) }
    var change = Partial<Box>()
    change[\.id] = 1
    change[\.guests] = .some(nil)

    #expect(try store.write { try $0.save(Box(id: 1, guests: nil)) } == SaveReport(unchanged: 1))
    #expect(try store.fetchFirst(ModelRequest<Box>())?.guests?.count == 1)
    #expect(
      try store.write { try $0.update([change]) } == SaveReport(unchanged: 1, unlinked: 1))
    #expect(try store.fetchFirst(ModelRequest<Box>())?.guests?.count == 0)
  }

  @Test func modelsAreSavedAndReferencesLinked() throws {
    let speaker = Guest(name: "Andrija")

    let report = try update {
      $0[\.parts] = [Part(code: "c", title: "C", speaker: speaker), parts[0]]
      $0[\.opening] = try ModelReference(key: "c")
    }

    #expect(report == SaveReport(inserted: 2, updated: 1, unchanged: 1, linked: 2, unlinked: 1))
    #expect(try show.parts.map(\.code) == ["c", "a"])
    #expect(try show.parts.first?.speaker == speaker)
    #expect(try show.opening?.key == .string("c"))
  }

  @Test func nothingOfAMissingRowIsMade() throws {
    var change = Partial<Series>()
    change[\.id] = 9
    change[\.parts] = [Part(code: "z", title: "Z")]

    #expect(try store.write { try $0.update([change]) } == SaveReport(missing: 1))
    #expect(try store.count("Part") == 2)
  }

  @Test func aDanglingReferenceUndoesTheCall() throws {
    let before = try store.dump()

    let error = #expect(throws: StoreError.self) {
      try update {
        $0[\.title] = "New"
        $0[\.parts] = []
        $0[\.opening] = try ModelReference(key: "nowhere")
      }
    }

    #expect(
      error?.description
        == #"dangling reference: no `Part` "nowhere" is stored - `Series.opening` of `Series` 1;"#
        + " save it first, or together with the model that refers to it")
    #expect(try store.dump() == before)
  }
}
