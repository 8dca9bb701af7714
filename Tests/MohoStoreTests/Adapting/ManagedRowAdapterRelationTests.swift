import MohoMapping
import MohoRows
import StoreTesting
import Testing

@Suite(.allEngines) struct ManagedRowAdapterRelationTests {
  private func context() throws -> EditingContext {
    EditingContext(try emptyStore(Broadcast.self, User.self))
  }

  @Test func savingRulesSayWhatBecomesOfLinks() throws {
    let context = try context()
    let adapter = ManagedRowAdapter<Broadcast>()
    let parts = (1...3).map { Segment(id: $0, title: "\($0)") }
    let row = try adapter.row(
      from: Broadcast(id: 1, parts: parts, extras: parts, host: parts[0]), in: context)
    try context.save()

    try adapter.row(
      from: Broadcast(
        id: 1, parts: [parts[2], Segment(id: 4, title: "4")], extras: [Segment(id: 4, title: "4")],
        host: nil),
      in: context)

    #expect(try row.relatedRows("parts").map { try $0[\Segment.id] } == [3, 4])
    #expect(try row.relatedRows("extras").map { try $0[\Segment.id] } == [3, 4])
    #expect(try row.relatedRow("host") == nil)
    // Rows removed from `parts` are deleted, and therefore also removed from
    // `extras`.
    #expect(try context.fetch("Segment").map { try $0[\Segment.id] } == [3, 4])
    try context.save()
    #expect(try context.store.values("SELECT id FROM \"Segment\" ORDER BY id") == ["3", "4"])
    context.undo()
    #expect(try row.relatedRows("extras").count == 3)
  }

  @Test func referencesLinkExistingRows() throws {
    let context = try context()
    let adapter = ManagedRowAdapter<User>()
    let ada = User(name: "Ada", friends: [try ModelReference(key: "Bea")])
    let bea = User(
      name: "Bea", friends: [try ModelReference(key: "Ada")], boss: try ModelReference(key: "Bea"))

    let error = #expect(throws: StoreError.self) { try adapter.row(from: ada, in: context) }
    #expect(error?.code == .danglingReference)
    #expect(!context.hasChanges)
    let rows = try adapter.rows(from: [ada, bea], in: context)
    #expect(try rows[1].relatedRow("boss") === rows[1])
    try context.save()

    let other = EditingContext(context.store)
    let found = try adapter.models(from: other.fetch("User"))
    #expect(found == [ada, bea])
    let cleo = User(name: "Cleo", friends: [try ModelReference(key: "Ada")])
    try adapter.row(from: cleo, in: other)
    #expect(try adapter.models(from: other.fetch("User")).map(\.friends.count) == [2, 1, 1])
  }

  @Test func partialModelsChangeOnlyTheirKeys() throws {
    let context = try context()
    let adapter = ManagedRowAdapter<Broadcast>()
    let parts = (1...2).map { Segment(id: $0, title: "\($0)") }
    let row = try adapter.row(
      from: Broadcast(id: 1, parts: parts, extras: parts, host: parts[0]), in: context)
    try context.save()

    try adapter.update(row, from: Partial<Broadcast>())
    #expect(!context.hasChanges)
    var change = Partial<Broadcast>()
    change[\.host] = .some(nil)
    change[\.parts] = [parts[1]]
    try adapter.update(row, from: change)

    #expect(try row.relatedRow("host") == nil)
    #expect(try row.relatedRows("parts").map { try $0[\Segment.id] } == [2])
    #expect(try row.relatedRows("extras").map { try $0[\Segment.id] } == [2])
    #expect(throws: StoreError.self) {
      try adapter.update(context.insert(Segment.self).row, from: change)
    }
  }

  @Test func aValueThatContainsItselfIsAnError() throws {
    let context = EditingContext(try emptyStore(Box.self))
    let rows = try (0..<3).map { try context.make("Box", ["id": $0]) }
    let adapter = ManagedRowAdapter<Box>()
    try rows[0].add(rows[1], to: "boxes")
    try rows[1].add(rows[2], to: "boxes")
    try rows[0].add(rows[2], to: "boxes")
    #expect(try adapter.model(from: rows[0]).boxes.count == 2)
    try rows[2].add(rows[0], to: "boxes")

    let error = #expect(throws: StoreError.self) { try adapter.model(from: rows[1]) }

    #expect(error?.code == .cycle)
    #expect(error?.reason.components == 4)
  }
}

extension String {
  /// The number of components of a path.
  fileprivate var components: Int { split(separator: ">").count }
}

struct Segment: MappedModel, Equatable {
  var id: Int
  var title: String

  static let mapping = Mapping(
    "Segment", Segment.init, .key("id", \.id, .unique), .key("title", \.title))
}

/// A model with every link policy.
struct Broadcast: MappedModel, Equatable {
  var id: Int
  var parts: [Segment]
  var extras: [Segment]
  var host: Segment?

  static let mapping = Mapping(
    "Broadcast", Broadcast.init, .key("id", \.id, .unique),
    .toMany("parts", \.parts, linkPolicy: .replace(removed: .delete)),
    .toMany("extras", \.extras, linkPolicy: .merge),
    .toOne("host", \.host))
}

/// Models that refer to each other.
struct User: MappedModel, Equatable {
  var name: String
  var friends: Set<ModelReference<User>> = []
  var boss: ModelReference<User>?

  static let mapping = Mapping(
    "User", User.init, .key("name", \.name, .unique),
    .toMany("friends", \.friends, inverse: "friends"), .toOne("boss", \.boss))
}

/// A model that contains itself.
struct Box: MappedModel, Equatable {
  var id: Int
  var boxes: [Box]

  static let mapping = Mapping(
    "Box", Box.init, .key("id", \.id, .unique), .toMany("boxes", \.boxes))
}
