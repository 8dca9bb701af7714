import Foundation
import MohoMapping
import MohoRows
import StoreTesting
import Testing

/// Tests that new rows have the default values of the mapping.
@Suite(.allEngines) struct ContextDefaultTests {
  private struct Draft: MappedModel, Equatable {
    enum Mood: String, CaseIterable, FieldValue { case calm, loud }
    struct Size: Codable, Sendable, Equatable { var width = 3 }

    var id: Int
    var title: String
    var season: Int?
    var ratio: Double
    var price: Decimal
    var isOpen: Bool
    var date: Date
    var mood: Mood
    var tags: [String]
    var size: Size
    var shift: Int
    var note: String?
    var isShown = false

    private static let oneLess: Transform<Int> = Transform<Int>.standard.map(
      to: { $0 - 1 }, from: { $0 + 1 })
    private static let start = Date(timeIntervalSinceReferenceDate: 9)

    static let mapping = Mapping<Draft>(
      "Draft",
      Draft.init(
        id:title:season:ratio:price:isOpen:date:mood:tags:size:shift:note:isShown:),
      .key("id", \Draft.id, .unique),
      .key("title", \Draft.title, default: "untitled"),
      .key("season", \Draft.season, default: 4),
      .key("ratio", \Draft.ratio, default: 2),
      .key("price", \Draft.price, default: Decimal(1.5)),
      .key("isOpen", \Draft.isOpen, default: true),
      .key("date", \Draft.date, .epochSeconds, default: start),
      .key("mood", \Draft.mood, default: Mood.loud),
      .key("tags", \Draft.tags, default: ["new"]),
      .key("size", \Draft.size, .codable, default: Size()),
      .key("shift", \Draft.shift, oneLess, default: 6),
      .key("note", \Draft.note),
      .transient(\Draft.isShown, default: true))
  }

  private static func isDefault(_ draft: Draft?) -> Bool {
    draft
      == Draft(
        id: 1, title: "untitled", season: 4, ratio: 2, price: 1.5, isOpen: true,
        date: Date(timeIntervalSinceReferenceDate: 9), mood: .loud, tags: ["new"],
        size: Draft.Size(), shift: 6, note: nil, isShown: true)
  }

  @Test(arguments: [true, false]) func aNewRowHasTheDefaultsOfItsKeys(isByName: Bool) throws {
    let store = try emptyStore(Draft.self)
    let context = EditingContext(store)

    let row = try isByName ? context.insert("Draft") : context.insert(Draft.self).row
    try row.set("id", to: 1)

    #expect(try row[\Draft.title] == "untitled")
    #expect(row.changedKeys == ["id"])
    try context.save()
    #expect(Self.isDefault(try store.fetchFirst(ModelRequest<Draft>())))
  }

  @Test func childContextsHandDefaultsOn() throws {
    let store = try emptyStore(Draft.self)
    let parent = EditingContext(store)
    let child = EditingContext(childOf: parent)
    let row = try child.insert(Draft.self).row
    try row.set("id", to: 1)
    let cleared = try child.insert(Draft.self).row
    try cleared.set("id", to: 2)
    try cleared.set("season", to: FieldContent.null)

    try child.save()
    try parent.save()

    let drafts = try store.fetch(ModelRequest<Draft>().order(by: \.id))
    #expect(Self.isDefault(drafts.first))
    #expect(drafts.last?.season == nil)
    #expect(drafts.last?.title == "untitled")
  }

  @Test func redoneInsertionsHaveTheDefaults() throws {
    let store = try emptyStore(Draft.self)
    let context = EditingContext(store)
    let row = try context.insert(Draft.self).row
    try row.set("id", to: 1)

    context.undo()
    context.undo()
    #expect(!context.hasChanges)
    context.redo()
    context.redo()
    try context.save()

    #expect(Self.isDefault(try store.fetchFirst(ModelRequest<Draft>())))
  }
}
