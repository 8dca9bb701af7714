import MohoMapping
import MohoRows
import StoreTesting
import Testing

/// Tests that a refused assignment is an error of the next save.
@Suite(.allEngines) struct RefusedAssignmentTests {
  private let store: ModelStore
  private let context: EditingContext
  private let ticket: ModelRow<Ticket>

  init() throws {
    store = try Ticket.store()
    context = EditingContext(store)
    ticket = try #require(try context.fetch(ModelRequest<Ticket>()).first)
  }

  private func failures() throws -> [ValidationFailure] {
    try #require(#expect(throws: RowValidationError.self) { try context.save() }).failures
  }

  fileprivate struct Refusal: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let kind: ValidationFailure.Kind
    let keys: [String]
    let assign: @Sendable (ModelRow<Ticket>) throws -> Void

    init(
      _ name: String, _ kind: ValidationFailure.Kind, _ keys: [String],
      _ assign: @escaping @Sendable (ModelRow<Ticket>) throws -> Void
    ) {
      (testDescription, self.kind, self.keys, self.assign) = (name, kind, keys, assign)
    }
  }

  private static let refusals = [
    Refusal("a number that the column cannot store", .invalidValue, ["score"]) {
      $0.score = .nan
    },
    Refusal("a reference to a missing row", .refusedAssignment, ["author"]) {
      $0.author = try ModelReference(key: 99)
    },
    Refusal("references of which one is missing", .refusedAssignment, ["watchers"]) {
      $0.watchers = [try ModelReference(key: 1), try ModelReference(key: 99)]
    },
    Refusal("a nested model that is invalid", .failedRule, ["labels"]) {
      $0.labels = [Ticket.Tag(id: 1, name: "ok"), Ticket.Tag(id: 5, name: "")]
    },
    Refusal("a computed property", .refusedAssignment, []) { $0.headline = "TUFF" },
    Refusal("a transient property", .refusedAssignment, ["isShown"]) { $0.isShown = true },
    Refusal("a member of an embedded model", .refusedAssignment, []) { $0[\.span.start] = 3 },
    Refusal("a deleted row", .refusedAssignment, ["title"]) { ticket in
      try ticket.row.context.delete(ticket)
      ticket.title = "Tuff"
    },
  ]

  @Test(arguments: refusals)
  fileprivate func aRefusedAssignmentIsReportedBySaving(_ refusal: Refusal) throws {
    let before = try ticket.model()
    ticket.note = "changed"

    try refusal.assign(ticket)

    #expect(context.hasChanges)
    #expect(try ticket.score == before.score)
    #expect(try ticket.title == before.title)
    // Deleting a row removes its links.
    let isDeleted = ticket.row.state == .deleted
    #expect(try ticket.author == (isDeleted ? nil : before.author))
    let failures = try failures()
    #expect(failures.map(\.kind) == [refusal.kind])
    #expect(failures.map(\.keys) == [refusal.keys])
    #expect(failures.map(\.row) == [ticket.row.identity])
    #expect(failures.allSatisfy { !$0.found.isEmpty })
    #expect(try store.fetchFirst(ModelRequest<Ticket>()) == before)

    // The error is reported once. Valid changes are still there.
    try context.save()
    let stored = try store.fetchFirst(ModelRequest<Ticket>())
    #expect(ticket.row.state == .detached ? stored == nil : stored?.note == "changed")
    #expect(!context.hasChanges)
  }

  @Test func messagesNameTheKeyAndTheValue() throws {
    ticket.score = .nan
    ticket.author = try ModelReference(key: 99)
    ticket.isShown = true

    #expect(
      try failures().map(\.description) == [
        "invalid value: number nan, expected double - `score` of `Ticket` 7",
        "refused assignment: no `Member` 99 is stored"
          + " - `author` of `Ticket` 7",
        "refused assignment: `isShown` is not a stored key of the entity"
          + " - `isShown` of `Ticket` 7",
      ])
  }

  @Test func refusedAssignmentsAndInvalidValuesAreOneError() throws {
    ticket.score = .nan
    ticket.title = ""

    #expect(try failures().map(\.keys) == [["score"], ["title"]])
    #expect(try failures().map(\.keys) == [["title"]])
  }

  @Test func aRefusedAssignmentAloneIsAChange() throws {
    ticket.score = .nan

    #expect(ticket.row.state == .unchanged)
    #expect(context.pendingChanges.isEmpty)
    #expect(context.hasChanges)
    #expect(try failures().map(\.keys) == [["score"]])
    #expect(!context.hasChanges)
  }

  @Test func aCorrectedAssignmentIsNotReported() throws {
    ticket.score = .nan
    ticket.score = 5

    try context.save()

    #expect(try store.fetchFirst(ModelRequest<Ticket>())?.score == 5)
  }

  @Test func theLastRefusalOfAKeyIsReported() throws {
    ticket.author = try ModelReference(key: 98)
    ticket.author = try ModelReference(key: 99)

    #expect(try failures().map(\.found) == ["no `Member` 99 is stored"])
  }

  @Test(arguments: [true, false]) func discardedChangesAreNotReported(isReset: Bool) throws {
    ticket.score = .nan

    if isReset { context.reset() } else { context.rollback() }

    #expect(!context.hasChanges)
    try context.save()
  }

  @Test func aRowOfAContextThatWasResetRefusesAssignments() throws {
    context.reset()

    ticket.title = "Tuff"

    #expect(throws: StoreError.self) { try ticket.title }
    #expect(try failures().map(\.kind) == [.refusedAssignment])
  }

  @Test func childContextsReportTheirOwnAssignments() throws {
    let child = EditingContext(childOf: context)
    let row = try ModelRow<Ticket>(child.row(ticket.row.identity))

    row.score = .nan
    #expect(!context.hasChanges)

    let error = #expect(throws: RowValidationError.self) { try child.save() }
    #expect(error?.failures.map(\.keys) == [["score"]])
    row.score = 3
    try child.save()
    try context.save()
    #expect(try store.fetchFirst(ModelRequest<Ticket>())?.score == 3)
  }

  @Test func assignmentsOfSavingClosuresAreReported() throws {
    let saving = context.willSave { [ticket] _ in ticket.score = .nan }
    ticket.note = "changed"

    #expect(try failures().map(\.keys) == [["score"]])
    saving.cancel()
    try context.save()
  }
}
