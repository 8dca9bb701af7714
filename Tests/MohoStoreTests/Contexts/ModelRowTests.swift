import Foundation
import MohoMapping
import MohoRows
import StoreTesting
import Testing

/// Tests of reading and assigning each kind of key, in each state of a row.
@Suite(.allEngines) struct ModelRowTests {
  private let store: ModelStore
  private let context: EditingContext
  private let ticket: ModelRow<Ticket>

  init() throws {
    store = try Ticket.store()
    context = EditingContext(store)
    ticket = try #require(try context.fetch(ModelRequest<Ticket>()).first)
  }

  private func stored() throws -> Ticket {
    try #require(try store.fetchFirst(ModelRequest<Ticket>()))
  }

  /// A new value of a key.
  struct KeyChange: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let assign: @Sendable (ModelRow<Ticket>) throws -> Void
    /// Whether a row has the new value.
    let isNew: @Sendable (ModelRow<Ticket>) throws -> Bool
    /// Whether a model has the same value as a row.
    let isValue: @Sendable (Ticket, ModelRow<Ticket>) throws -> Bool

    init<Value: Equatable & Sendable>(
      _ key: String, _ keyPath: any WritableKeyPath<Ticket, Value> & Sendable,
      _ value: @autoclosure @escaping @Sendable () throws -> Value
    ) {
      testDescription = key
      assign = { $0[keyPath] = try value() }
      isNew = { try $0[keyPath] == value() }
      isValue = { try $0[keyPath: keyPath] == $1[keyPath] }
    }
  }

  private static let changes = [
    KeyChange("title", \.title, "Tuff"),
    KeyChange("note", \.note, nil),
    KeyChange("state", \.state, .closed),
    KeyChange("due", \.due, Date(timeIntervalSinceReferenceDate: 86_400)),
    KeyChange("score", \.score, 12),
    KeyChange("shift", \.shift, -3),
    KeyChange("size", \.size, Ticket.Size(width: 9)),
    KeyChange("words", \.words, ["b", "c"]),
    KeyChange("span", \.span, Ticket.Span(start: 5, end: 6)),
    KeyChange("range", \.range, Ticket.Span(start: 7)),
    KeyChange("spans", \.spans, []),
    KeyChange("frame", \.frame, Ticket.Span(start: 8)),
    KeyChange("event", \.event, .moved(Ticket.Span(start: 9))),
    KeyChange("sprint", \.sprint, Ticket.Sprint(id: 2, title: "June")),
    KeyChange("sprint", \.sprint, Ticket.Sprint(id: 1, title: "Early May")),
    KeyChange("sprint", \.sprint, nil),
    KeyChange("author", \.author, try ModelReference(key: 2)),
    KeyChange("author", \.author, nil),
    KeyChange(
      "labels", \.labels, [Ticket.Tag(id: 3, name: "new"), Ticket.Tag(id: 1, name: "defect")]),
    KeyChange("labels", \.labels, []),
    KeyChange("watchers", \.watchers, [try ModelReference(key: 2)]),
  ]

  @Test(arguments: changes)
  func aKeyIsReadAssignedUndoneAndSaved(change: KeyChange) throws {
    let before = try stored()
    #expect(try change.isValue(before, ticket))
    #expect(try !change.isNew(ticket))

    try change.assign(ticket)
    #expect(try change.isNew(ticket))
    #expect(try change.isValue(ticket.model(), ticket))
    #expect(context.hasChanges)

    context.undo()
    #expect(try change.isValue(before, ticket))
    #expect(!context.hasChanges)

    context.redo()
    try context.save()
    #expect(try change.isNew(ticket))
    #expect(try change.isValue(stored(), ticket))
    #expect(ticket.row.state == .unchanged)

    let other = EditingContext(store)
    #expect(try change.isNew(ModelRow(other.row(ticket.row.identity))))
  }

  @Test(arguments: changes)
  func anAssignmentOfTheSameValueIsNoChange(change: KeyChange) throws {
    try change.assign(ticket)
    try context.save()

    try change.assign(ticket)

    #expect(!context.hasChanges, "\(context.pendingChanges)")
  }

  @Test(arguments: changes)
  func aFaultReadsAndAssignsEachKey(change: KeyChange) throws {
    let before = try stored()
    let context = EditingContext(store)
    let fault = try ModelRow<Ticket>(context.row(ticket.row.identity))
    #expect(fault.row.isFault)
    #expect(try change.isValue(before, fault))

    let other = EditingContext(store)
    let unread = try ModelRow<Ticket>(other.row(ticket.row.identity))
    try change.assign(unread)
    try other.save()
    #expect(try change.isValue(stored(), unread))
  }

  @Test func propertiesHaveTheTypesOfTheModel() throws {
    ticket.title = try ticket.title + "!"
    let labels: [Ticket.Tag] = try ticket.labels
    let names = try ticket.labels.map(\.name)

    #expect(try ticket.title == "Basalt!")
    #expect(try ticket.sprint?.title == "May")
    #expect(try ticket.range?.start == nil)
    #expect(try ticket.span.start == 1)
    #expect(labels.map(\.name) == names)
    #expect(try ticket.number == 7)
    #expect(ticket.row.changedKeys == ["title"])
    #expect(ticket == (try ModelRow(ticket.row)))
    #expect("\(ticket)" == "`Ticket` 7 (\(ticket.row.state))")
  }

  @Test func aConstantPropertyIsSetByItsKeyPath() throws {
    let new = try context.insert(Ticket.self)
    try new.set(\.number, to: 9)
    #expect(try new.number == 9)
  }

  @Test func aNewRowHasDefaultsAndThrowsForMissingValues() throws {
    let new = try context.insert(Ticket.self)

    #expect(try new.state == .open)
    #expect(try new.shift == 6)
    #expect(try new.words == [])
    #expect(try new.note == nil)
    #expect(try new.sprint == nil)
    #expect(try new.labels == [])
    let error = #expect(throws: MappingError.self) { try new.title }
    #expect(error?.description.contains("`Ticket.title`") == true)
    #expect(throws: MappingError.self) { try new.model() }

    try new.set(\.number, to: 8)
    new.title = "Gneiss"
    new.frame = Ticket.Span(start: 0)
    new.event = .opened
    new.labels = [Ticket.Tag(id: 2, name: "ui")]
    try context.save()
    #expect(try store.fetch(ModelRequest<Ticket>()).map(\.title) == ["Basalt", "Gneiss"])
  }

  @Test func aDeletedRowIsReadButNotAssigned() throws {
    try context.delete(ticket)
    #expect(try ticket.title == "Basalt")
    #expect(throws: StoreError.self) { try ticket.set(\.title, to: "Tuff") }

    context.undo()
    ticket.title = "Tuff"
    #expect(try ticket.title == "Tuff")
  }

  @Test func aRowThatAnotherProgramHasDeletedIsAnError() throws {
    let other = EditingContext(store)
    let fault = try ModelRow<Ticket>(other.row(ticket.row.identity))
    try store.write { try $0.delete(ModelRequest<Ticket>()) }

    let error = #expect(throws: StoreError.self) { try fault.title }
    #expect(error?.code == .rowNotFound)
    fault.title = "Tuff"
    let failure = #expect(throws: RowValidationError.self) { try other.save() }?.failures.first
    #expect(failure?.kind == .refusedAssignment)
    #expect(failure?.found == "the store has no such row")
  }

  @Test func aRefreshedRowHasTheValuesOfTheStore() throws {
    try store.write { writer in
      var change = Partial<Ticket>()
      change[\.number] = 7
      change[\.title] = "Pumice"
      try writer.update([change])
    }
    ticket.note = "Mine"
    try context.refresh(ticket, keepingChanges: true)
    #expect(try ticket.title == "Pumice")
    #expect(try ticket.note == "Mine")
    try context.refresh(ticket)
    #expect(try ticket.note == "A note")
  }

  @Test func aRowIsConvertedOnlyToItsModel() throws {
    let error = #expect(throws: StoreError.self) { try ModelRow<Ticket.Tag>(ticket.row) }
    #expect(error?.reason == "the row is not a row of `Tag`")
  }

  @Test func aPartialModelUpdatesARow() throws {
    var change = Partial<Ticket>()
    change[\.title] = "Tuff"
    change[\.sprint] = .some(nil)

    try ticket.update(from: change)

    #expect(ticket.row.changedKeys == ["title", "sprint"])
    #expect(try ticket.sprint == nil)
  }

  @Test func propertiesThatAreNotStoredKeysAreErrors() throws {
    let computed = #expect(throws: StoreError.self) { try ticket.headline }
    let transient = #expect(throws: StoreError.self) { try ticket.isShown }
    let nested = #expect(throws: StoreError.self) { try ticket[\.span.start] }

    #expect(computed?.reason.contains("is not a stored key of the entity") == true)
    #expect(transient?.reason == "`isShown` is not a stored key of the entity")
    #expect(nested?.reason.contains("is not a stored key of the entity") == true)
    #expect(throws: StoreError.self) { try ticket.set(\.headline, to: "") }
  }
}
