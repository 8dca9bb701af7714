import MohoMapping
import MohoRows
import StoreTesting
import Testing

private struct Tally: MappedModel, Equatable {
  var plays: Int
  var note: String?

  static let mapping = Mapping<Tally>(
    "Tally", Tally.init, .key("plays", \.plays), .key("note", \.note)
  )
  .merging(\.plays) { stored, incoming in stored + incoming }
  .merging(\.note, .incomingUnlessNil)
}

private struct Middle: MappedModel, Equatable {
  var tally: Tally

  static let mapping = Mapping("Middle", Middle.init, .inlined("tally", \.tally))
}

private struct Show: MappedModel, Equatable {
  var id: Int
  var middle: Middle
  var extra: Tally?

  static let mapping = Mapping(
    "Show", Show.init, .key("id", \.id, .unique), .inlined("middle", \.middle),
    .key("extra", \.extra))
}

private struct Network: MappedModel, Equatable {
  var id: Int
  var shows: [Show]

  static let mapping = Mapping(
    "Network", Network.init, .key("id", \.id, .unique), .toMany("shows", \.shows))
}

@Suite(.allEngines) struct InlinedMergingTests {
  private let store: ModelStore
  private let stored = Show(id: 1, middle: Middle(tally: Tally(plays: 5, note: "kept")))
  private let incoming = Show(id: 1, middle: Middle(tally: Tally(plays: 3, note: nil)))
  private let merged = Show(id: 1, middle: Middle(tally: Tally(plays: 8, note: "kept")))

  init() throws { store = try emptyStore(Network.self, Show.self) }

  @Test func savingMergesAnInlinedModel() throws {
    try store.write { try $0.save(stored) }

    try store.write { try $0.save(incoming) }

    #expect(try store.fetch(ModelRequest<Show>()) == [merged])
  }

  @Test func savingMergesAnInlinedModelOfANestedOne() throws {
    try store.write { try $0.save(Network(id: 1, shows: [stored])) }

    try store.write { try $0.save(Network(id: 1, shows: [incoming])) }

    #expect(try store.fetch(ModelRequest<Show>()) == [merged])
  }

  @Test func aRowOfAContextMergesAnInlinedModel() throws {
    let context = EditingContext(store)
    let adapter = ManagedRowAdapter<Show>()
    let row = try adapter.row(from: stored, in: context)

    try adapter.row(from: incoming, in: context)

    #expect(try adapter.model(from: row) == merged)
    try context.save()
    #expect(try store.fetch(ModelRequest<Show>()) == [merged])
  }

  @Test func aNestedModelOfAColumnIsReplacedAsAWhole() throws {
    var (old, new) = (stored, incoming)
    (old.extra, new.extra) = (Tally(plays: 1, note: "x"), Tally(plays: 2, note: nil))
    try store.write { try $0.save(old) }

    try store.write { try $0.save(new) }

    #expect(try store.fetch(ModelRequest<Show>()).map(\.extra) == [new.extra])
  }
}
