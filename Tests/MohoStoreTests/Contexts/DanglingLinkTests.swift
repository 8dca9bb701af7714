import MohoMapping
import MohoRows
import StoreTesting
import Testing

/// Contexts over links to rows that other programs have deleted without foreign keys.
@Suite(.allEngines) struct DanglingLinkTests {
  /// Returns a store with a holder of the missing target 1 and of the targets 1 and 2.
  private func store(_ rule: DeleteRule? = nil) throws -> ModelStore {
    let store = try emptyStore(
      entities: Entity("Target", attributes: [Attribute("name", .string)]),
      Entity(
        "Holder", attributes: [Attribute("title", .string)],
        relationships: [
          .toOne("target", "Target", whenThisIsDeleted: rule), .toMany("targets", "Target"),
        ]))
    let context = EditingContext(store)
    let targets = try ["a", "b"].map { try context.make("Target", ["name": $0]) }
    let holder = try context.make("Holder", ["title": "h"])
    try holder.setRelatedRow("target", to: targets[0])
    for target in targets { try holder.add(target, to: "targets") }
    try context.save()
    try store.executeWithoutForeignKeys(#"DELETE FROM "Target" WHERE name = 'a'"#)
    return store
  }

  @Test func aMissingRowHasNoValues() throws {
    let context = EditingContext(try store())
    let holder = try context.fetch("Holder")[0]

    let target = try holder.relatedRow("target")
    let error = #expect(throws: StoreError.self) { try target?["name"] }

    #expect(error?.code == .rowNotFound)
    #expect(try context.fetch("Target").map { try $0["name"] } == [.string("b")])
    #expect(try holder.relatedRows("targets").map { try $0["name"] } == [.string("b")])
  }

  @Test func theHolderOfAMissingRowCanBeSaved() throws {
    let store = try store()
    let context = EditingContext(store)
    let holder = try context.fetch("Holder")[0]

    try holder.set("title", to: "x")
    try context.save()
    #expect(try store.values("SELECT title, target FROM \"Holder\"") == [#""x"|1"#])
    try holder.setRelatedRow("target", to: nil)
    try context.save()
    #expect(try store.values("SELECT title, target FROM \"Holder\"") == [#""x"|NULL"#])
  }

  @Test(arguments: [DeleteRule.nullify, .deny, .cascadeEvenIfShared, .noAction])
  func theHolderOfAMissingRowCanBeDeleted(rule: DeleteRule) throws {
    let store = try store(rule)

    let number = try store.write { try $0.delete(RowRequest("Holder")) }

    #expect(number == 1)
    #expect(try store.values("SELECT count(*) FROM \"Target\"") == ["1"])
  }
}
