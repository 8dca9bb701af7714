import Dispatch
import Foundation
import MohoChanges
import MohoMapping
import MohoResults
import MohoRows
import StoreTesting
import Testing

@Suite(.allEngines) struct SnapshotRowsTests {
  private let store: ModelStore

  init() throws { store = try .cards() }

  private func decks() throws -> ResultsSnapshot<Card> {
    try ResultsController(
      ModelRequest<Card>().order(by: \.deck).order(by: \.rank), in: store, sectionedBy: \.deck
    ).snapshot
  }

  @Test func rowsAreThoseOfTheirSections() throws {
    let snapshot = try decks()

    let titles = snapshot.sections.map { section in
      snapshot.rows(inSection: section.index).map { $0.model?.title }
    }
    #expect(titles == [["Wren", "Owl"], ["Pike"]])
    #expect(snapshot.rows(inSection: 1).map(\.path) == [RowPath(section: 1, row: 0)])
    #expect(snapshot.rows(inSection: 1).map(\.id) == [3])
  }

  @Test(arguments: [2, -1, Int.max, Int.min])
  func aMissingSectionHasNoRows(_ section: Int) throws {
    #expect(try decks().rows(inSection: section).isEmpty)
  }

  @Test func rowsAreARandomAccessCollection() throws {
    let rows = try ResultsController(ModelRequest<Card>().order(by: \.rank), in: store)
      .snapshot.rows()

    #expect(rows.count == 3)
    #expect(rows[2].model?.title == "Owl")
    #expect(rows.reversed().map(\.id) == [2, 3, 1])
    #expect(rows[1...].map(\.id) == [3, 2])
  }

  @Test func aRowThatCanNoLongerBeReadHasNoModel() throws {
    let rows = try decks().rows(inSection: 1)
    try store.write { try $0.delete(ModelRequest<Card>()) }

    #expect(rows[0].id == 3)
    #expect(rows[0].model == nil)
  }

  /// The transaction of the caller reads an older state than that of the snapshot.
  @Test func modelsInsideAnOlderReadAreThoseOfTheSnapshot() throws {
    let (store, folder) = try emptySharedStore(Card.self)
    defer { withExtendedLifetime(folder) {} }
    let card = Card(id: 1, rank: 1, title: "Wren")
    try store.write { try $0.save(card) }
    let request = ModelRequest<Card>()
    let controller = try ResultsController(request, in: store)

    let (outer, inner) = try store.read { reader in
      let outer = try reader.fetch(request).map(\.title)
      let isSaved = DispatchSemaphore(value: 0)
      Thread.detachNewThread {
        _ = try? store.write { try $0.save(Card(id: 1, rank: 1, title: "Heron")) }
        isSaved.signal()
      }
      isSaved.wait()
      return (outer, controller.snapshot.rows().map { $0.model?.title })
    }

    #expect(outer == ["Wren"])
    #expect(inner == ["Heron"])
    #expect(controller.snapshot.rows().map { $0.model?.title } == ["Heron"])
  }

  @Test func sectionsAreIdentifiedByTheirKeys() throws {
    #expect(try decks().sections.map(\.id) == [.text("birds"), .text("fish")])
    #expect(try decks().sections.map(\.index) == [0, 1])
  }
}
