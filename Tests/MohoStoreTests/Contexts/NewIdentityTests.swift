import Dispatch
import MohoMapping
import StoreTesting
import Synchronization
import Testing

@testable import MohoPostgres
@testable import MohoRows

/// Tests the identities of the rows that contexts insert.
@Suite(.allEngines) struct NewIdentityTests {
  @Test func contextsAndTheServerDoNotUseAnIdentityTwice() throws {
    let store = try Library.store()
    let context = EditingContext(store)

    for round in 0..<3 {
      try store.execute("INSERT INTO \"Guest\" (name) VALUES ('a\(round)'), ('b\(round)')")
      for name in ["c", "d"] { _ = try context.make("Guest", ["name": "\(name)\(round)"]) }
      try context.save()
    }

    let names = try EditingContext(store).fetch("Guest").texts("name")
    #expect(names == (0..<3).flatMap { round in ["a", "b", "c", "d"].map { "\($0)\(round)" } })
  }

  @Test func aRowOfAContextThatWasRolledBackGetsAnotherIdentity() throws {
    let store = try Library.store()
    let context = EditingContext(store)
    let row = try context.make("Guest", ["name": "a"])
    try store.refuseInsertions(into: "Guest")
    #expect(throws: StoreError.self) { try context.save() }
    #expect(row.identity.isTemporary)
    try store.allowInsertions(into: "Guest")

    try context.save()

    #expect(try store.values("SELECT count(*) FROM \"Guest\"") == ["1"])
    #expect(row.state == .unchanged)
  }

  @Test func aContextUsesNoIdentityThatSQLHasUsedInTheTransaction() throws {
    let store = try Library.store()
    let context = EditingContext(store)
    for name in ["a", "b", "c"] { _ = try context.make("Guest", ["name": name]) }

    try store.write { writer in
      try writer.execute(sql: "INSERT INTO \"Guest\" (_moho_id, name) VALUES (2, 'x'), (3, 'y')")
      try context.save()
    }

    let names = try EditingContext(store).fetch("Guest").texts("name")
    #expect(names.sorted() == ["a", "b", "c", "x", "y"])
  }

  @Test func aContextUsesNoIdentityThatOthersHaveUsed() throws {
    let store = try Library.store()
    try store.execute(
      "INSERT INTO \"Guest\" (_moho_id, name) VALUES (2, 'x'), (4, 'y'), (5, 'z')")
    let context = EditingContext(store)
    for name in ["a", "b", "c"] { _ = try context.make("Guest", ["name": name]) }

    try context.save()

    let names = try EditingContext(store).fetch("Guest").texts("name")
    #expect(names.sorted() == ["a", "b", "c", "x", "y", "z"])
  }

  @Test func aContextUsesNoIdentityThatATriggerUses() throws {
    let store = try emptyStore(
      entities: Entity("Note", attributes: [Attribute("text", .string)]),
      Entity("Trace", attributes: [Attribute("text", .string)]))
    try store.execute(
      store.isOnPostgres
        ? """
        CREATE FUNCTION trace() RETURNS trigger LANGUAGE plpgsql AS \
        'BEGIN INSERT INTO "Trace" (text) VALUES (NEW.text); RETURN NULL; END';
        CREATE TRIGGER trace AFTER INSERT ON "Note" FOR EACH ROW EXECUTE FUNCTION trace();
        """
        : """
        CREATE TRIGGER trace AFTER INSERT ON "Note" BEGIN
        INSERT INTO "Trace" (text) VALUES (NEW.text); END
        """)
    let context = EditingContext(store)
    for name in ["a", "b"] {
      _ = try context.make("Note", ["text": name])
      _ = try context.make("Trace", ["text": "made \(name)"])
    }

    try context.save()

    let texts = try EditingContext(store).fetch("Trace").texts("text")
    #expect(texts.sorted() == ["a", "b", "made a", "made b"])
  }

  @Test(.engine(.postgres)) func contextsOfSeveralStoresInsertAtOnce() throws {
    let first = try Library.store()
    let stores =
      try [first]
      + (0..<3).map { _ in
        try ModelStore(postgres: first.postgres.address.text, first.schema)
      }
    let errors = Mutex<[any Error]>([])

    DispatchQueue.concurrentPerform(iterations: stores.count) { index in
      do {
        let context = EditingContext(stores[index])
        for round in 0..<5 {
          for number in 0..<10 {
            _ = try context.make("Guest", ["name": "\(index) \(round) \(number)"])
          }
          try context.save()
        }
      } catch {
        errors.withLock { $0.append(error) }
      }
    }

    #expect(errors.withLock { $0.map { "\($0)" } } == [])
    #expect(try first.values("SELECT count(DISTINCT name) FROM \"Guest\"") == ["200"])
  }

  @Test func manyChangesAreSavedTogether() throws {
    let store = try Library.store()
    let context = EditingContext(store)
    let rows = try (0..<3_000).map { try context.make("Guest", ["name": "\($0)"]) }
    try context.save()
    for row in rows[..<2_500] { try row.set("name", to: "new") }
    try context.delete(Array(rows[2_900...]))

    try context.save()

    #expect(
      try store.values(
        "SELECT name = 'new', count(*) FROM \"Guest\" GROUP BY 1 ORDER BY 1") == [
          "0|400", "1|2500",
        ])
  }
}
