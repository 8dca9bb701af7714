import MohoMapping
import MohoRows
import StoreTesting
import Testing

private struct Owner: MappedModel, Equatable {
  var id: Int
  static let mapping = Mapping("Owner", Owner.init, .key("id", \.id, .unique))
}

/// A note that is deleted with its owner.
private struct OwnedNote: MappedModel {
  var id: Int
  var owner: ModelReference<Owner>?
  static let mapping = Mapping(
    "Note", OwnedNote.init, .key("id", \.id, .unique),
    .toOne("owner", \.owner, whenTargetIsDeleted: .cascade))
}

/// A receipt that protects its owner.
private struct Receipt: MappedModel {
  var id: Int
  var owner: ModelReference<Owner>?
  static let mapping = Mapping(
    "Receipt", Receipt.init, .key("id", \.id, .unique),
    .toOne("owner", \.owner, whenTargetIsDeleted: .deny))
}

/// A badge whose owner is deleted with it.
private struct Badge: MappedModel {
  var id: Int
  var owner: ModelReference<Owner>?
  static let mapping = Mapping(
    "Badge", Badge.init, .key("id", \.id, .unique),
    .toOne("owner", \.owner, whenThisIsDeleted: .cascadeEvenIfShared))
}

@Suite(.allEngines) struct DeleteRuleDeclarationTests {
  private let store: ModelStore

  init() throws {
    store = try emptyStore(Owner.self, OwnedNote.self, Receipt.self, Badge.self)
    try store.write { writer in
      try writer.save([Owner(id: 1), Owner(id: 2)])
      try writer.save((10..<13).map { try OwnedNote(id: $0, owner: ModelReference(key: 1)) })
      try writer.save(Badge(id: 30, owner: ModelReference(key: 1)))
    }
  }

  @Test func deletingTheTargetDeletesTheRowsThatReferToIt() throws {
    try store.write { _ = try $0.delete([Owner(id: 1)]) }

    #expect(try store.fetchCount(ModelRequest<OwnedNote>()) == 0)
    #expect(try store.fetch(ModelRequest<Badge>()).map(\.owner) == [nil])
  }

  @Test func deletingARowKeepsItsTarget() throws {
    try store.write { _ = try $0.delete(ModelRequest<OwnedNote>().filter { $0.id == 11 }) }

    #expect(try store.fetchCount(ModelRequest<Owner>()) == 2)
    #expect(try store.fetchCount(ModelRequest<OwnedNote>()) == 2)
  }

  @Test func aConfirmedCascadeDeletesASharedTarget() throws {
    try store.write { _ = try $0.delete(ModelRequest<Badge>()) }

    #expect(try store.fetch(ModelRequest<Owner>()) == [Owner(id: 2)])
    #expect(try store.fetchCount(ModelRequest<OwnedNote>()) == 0)
  }

  @Test func aDeniedDeletionNamesTheRelationThatDeclaresIt() throws {
    try store.write { try $0.save(Receipt(id: 20, owner: ModelReference(key: 2))) }

    let error = #expect(throws: StoreError.self) {
      try store.write { try $0.delete([Owner(id: 2)]) }
    }

    #expect(error?.code == .deniedDeletion)
    #expect(error?.entity == "Receipt")
    #expect(error?.keys == ["owner"])
    #expect(try store.fetchCount(ModelRequest<Owner>()) == 2)
  }

  @Test func aContextAppliesTheRulesOfTargets() throws {
    try store.write { try $0.save(Receipt(id: 20, owner: ModelReference(key: 2))) }
    let context = EditingContext(store)
    let owners = try context.fetch("Owner")

    try context.delete(owners[0])
    #expect(context.pendingChanges.entities["Note"]?.deleted.count == 3)
    try context.save()
    #expect(try store.fetchCount(ModelRequest<OwnedNote>()) == 0)

    try context.delete(owners[1])
    let error = #expect(throws: RowValidationError.self) { try context.save() }
    #expect(error?.failures.map(\.keys) == [["Receipt.owner"]])
  }

  @Test func editingALinkDoesNotChangeItsTarget() throws {
    let context = EditingContext(store)
    let note = try #require(try context.fetch("Note").first)
    let owner = try #require(try context.fetch("Owner").first)

    try note.setRelatedRow("owner", to: nil)

    #expect(note.state == .updated)
    #expect(owner.state == .unchanged)
    #expect(context.pendingChanges.entities.keys.sorted() == ["Note"])
  }

  private static func linked(
    target: DeleteRule? = nil, this: DeleteRule? = nil, members: DeleteRule? = nil,
    isOptional: Bool = true, hasInverse: Bool = true
  ) throws -> Schema {
    try Schema([
      Entity(
        "A", attributes: [Attribute("x", .int64)],
        relationships: hasInverse ? [.toMany("bs", "B", inverse: "a", onDelete: members)] : []),
      Entity(
        "B", attributes: [Attribute("y", .int64)],
        relationships: [
          .toOne(
            "a", "A", isOptional: isOptional, whenTargetIsDeleted: target, whenThisIsDeleted: this)
        ]),
    ])
  }

  private func issue(_ schema: @autoclosure () throws -> Schema) -> String? {
    #expect(throws: StoreError.self) { _ = try schema() }?.reason
  }

  @Test func contradictingRulesAreIssues() {
    #expect(
      issue(try Self.linked(target: .cascade, members: .nullify))
        == "`B.a` has the rule `.cascade` for deleted rows of `A`, but its inverse `A.bs` has the"
        + " rule `.nullify`: declare one of them")
    #expect(throws: Never.self) { try Self.linked(target: .cascade, members: .cascade) }
    #expect(throws: Never.self) { try Self.linked(target: .cascade, isOptional: false) }
  }

  @Test func aRequiredLinkCannotBecomeNil() {
    #expect(
      issue(try Self.linked(target: .nullify, isOptional: false, hasInverse: false))
        == "`B.a` is required, but becomes nil when its target is deleted:"
        + " use the delete rule `.cascade` or `.deny`, or make it optional")
  }

  @Test func aCascadeToASharedTargetMustBeConfirmed() {
    for hasInverse in [false, true] {
      #expect(
        issue(try Self.linked(this: .cascade, hasInverse: hasInverse))
          == "`B.a` would delete a row of `A` that other rows of `B` may refer to:"
          + " use `whenTargetIsDeleted: .cascade` to delete a row with its target,"
          + " or confirm with `whenThisIsDeleted: .cascadeEvenIfShared`")
      #expect(throws: Never.self) {
        try Self.linked(this: .cascadeEvenIfShared, hasInverse: hasInverse)
      }
    }
    #expect(throws: Never.self) {
      try Schema([
        Entity(
          "A", attributes: [], relationships: [.toOne("b", "A", whenThisIsDeleted: .cascade)],
          unique: [["b"]])
      ])
    }
  }

  @Test(arguments: [DeleteRule.nullify, .cascade, .deny, .noAction])
  func bothSpellingsHaveTheSameTables(_ rule: DeleteRule) throws {
    let database = try MigratedStore()
    try database.open(Self.linked(members: rule))

    let other = try Self.linked(target: rule)
    try database.expectAsDeclared(other)
  }
}
