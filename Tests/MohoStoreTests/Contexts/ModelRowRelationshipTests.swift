import MohoMapping
import MohoRows
import StoreTesting
import Testing

@Suite(.allEngines) struct ModelRowRelationshipTests {
  private let store: ModelStore
  private let context: EditingContext
  private let ticket: ModelRow<Ticket>

  init() throws {
    store = try Ticket.store()
    context = EditingContext(store)
    ticket = try #require(try context.fetch(ModelRequest<Ticket>()).first)
  }

  private func tag(_ id: Int, _ name: String) throws -> ModelRow<Ticket.Tag> {
    let tag = try context.insert(Ticket.Tag.self)
    (tag.id, tag.name) = (id, name)
    return tag
  }

  private var names: [String] { get throws { try ticket.labels.map(\.name) } }

  @Test func relatedRowsAreRowsOfTheirModels() throws {
    let sprint = try #require(try ticket.relatedRow(\.sprint))
    sprint.title = "June"
    try #require(try ticket.relatedRows(\.labels).first).name = "defect"

    #expect(try ticket.sprint?.title == "June")
    #expect(try names == ["defect", "ui"])
    #expect(try ticket.relatedRow(\.author)?.login == "ada")
    #expect(try ticket.relatedRows(\.watchers).map { try $0.login } == ["ada", "bea"])
    #expect(ticket.row.changedKeys == [])
    try context.save()
    #expect(try store.fetchFirst(ModelRequest<Ticket.Sprint>())?.title == "June")
  }

  @Test func linksAreChangedByKeyPaths() throws {
    let (new, last) = (try tag(3, "new"), try tag(4, "last"))

    try ticket.insert(new, into: \.labels, at: 0)
    try ticket.add(last, to: \.labels)
    #expect(try names == ["new", "bug", "ui", "last"])
    try ticket.move(in: \.labels, from: 3, to: 1)
    #expect(try names == ["new", "last", "bug", "ui"])
    try ticket.remove(new, from: \.labels)
    #expect(try names == ["last", "bug", "ui"])
    try ticket.setRelatedRows(\.labels, to: [new, last])
    #expect(try names == ["new", "last"])
    try ticket.setRelatedRow(\.sprint, to: nil)
    #expect(try ticket.sprint == nil)
    let bea = try context.fetch(ModelRequest<Ticket.Member>().filter { $0.login == "bea" }).first
    try ticket.setRelatedRow(\.author, to: bea)

    try context.save()
    let stored = try #require(try store.fetchFirst(ModelRequest<Ticket>()))
    #expect(stored.labels.map(\.id) == [3, 4])
    #expect(stored.sprint == nil)
    #expect(stored.author == (try ModelReference(key: 2)))
  }

  @Test func keysThatAreNotRelationsAreErrors() throws {
    let embedded = #expect(throws: StoreError.self) { try ticket.relatedRow(\.span) }
    let embeddedMany = #expect(throws: StoreError.self) { try ticket.relatedRows(\.spans) }

    #expect(embedded?.reason == "`span` is not a to-one relationship of the entity")
    #expect(embeddedMany?.reason == "`spans` is not a to-many relationship of the entity")
  }

  @Test func rowsOfAnotherContextAreErrors() throws {
    let other = EditingContext(store)
    let sprint = try other.insert(Ticket.Sprint.self)

    #expect(throws: StoreError.self) { try ticket.setRelatedRow(\.sprint, to: sprint) }
    #expect(throws: StoreError.self) { try context.delete(sprint) }
  }

  @Test func rowsAreDeletedTogether() throws {
    try context.delete(ticket.relatedRows(\.labels))

    #expect(try names == [])
    try context.save()
    #expect(try store.fetchCount(ModelRequest<Ticket.Tag>()) == 0)
  }

  @Test func relatedRowsOfABatchAreReadTogether() throws {
    try store.write { writer in
      for number in 10..<30 {
        var ticket = try Ticket.number(number)
        ticket.sprint = Ticket.Sprint(id: number, title: "\(number)")
        try writer.save(ticket)
      }
    }
    let context = EditingContext(store)

    let reads = try count("SELECT", of: store) {
      for ticket in try context.fetch(ModelRequest<Ticket>().filter { $0.number >= 10 }) {
        #expect(try ticket.relatedRow(\.sprint)?.title == "\(ticket.number)")
        #expect(try ticket.labels.count == 2)
      }
    }

    // The tickets, their sprints, and their labels.
    #expect(reads == 3)
  }
}
