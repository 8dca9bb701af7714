import MohoMapping
import MohoRows
import StoreTesting
import Testing

/// Edits of to-many relationships that another writer has changed.
@Suite(.allEngines) struct LinkConflictTests {
  /// The ways in which a store stores links.
  enum Storage: CaseIterable {
    case table, inverseTable, column
  }

  /// A store with an owner of the members 1, 2 and 3, and with the members 4 and 5.
  private func store(_ storage: Storage) throws -> ModelStore {
    let owner = Entity(
      "Owner", attributes: [Attribute("name", .string, isOptional: true)],
      relationships: [
        .toMany("members", "Member", inverse: storage == .table ? nil : "owner")
      ])
    let back: Relationship? =
      switch storage {
      case .table: nil
      case .inverseTable: .toMany("owner", "Owner", inverse: "members")
      case .column: .toOne("owner", "Owner", inverse: "members")
      }
    let member = Entity(
      "Member", attributes: [Attribute("name", .string, isOptional: true)],
      relationships: back.map { [$0] } ?? [])
    let store = try emptyStore(
      Schema(storage == .inverseTable ? [member, owner] : [owner, member]))
    let context = EditingContext(store)
    let members = try (0..<5).map { _ in try context.insert("Member") }
    try context.save()
    try context.insert("Owner").setRelatedRows("members", to: members[..<3])
    try context.save()
    return store
  }

  private func owner(in context: EditingContext) throws -> ManagedRow {
    try context.row(RowIdentity(entity: "Owner", stored: 1))
  }

  private func set(_ members: [Int64], in context: EditingContext) throws {
    try owner(in: context).setRelatedRows(
      "members", to: members.map { try context.row(RowIdentity(entity: "Member", stored: $0)) })
  }

  private func members(in context: EditingContext) throws -> [Int64] {
    try owner(in: context).relatedRows("members").compactMap(\.identity.stored)
  }

  private func write(_ members: [Int64], to store: ModelStore) throws {
    let context = EditingContext(store)
    try set(members, in: context)
    try context.save()
  }

  @Test(arguments: Storage.allCases)
  func assignedLinksConflict(storage: Storage) throws {
    let results: [(ConflictPolicy, [Int64])] = [
      (.storeWins, [2, 4]), (.contextWins, [1, 3]), (.perKey, [4]),
    ]
    for (policy, expected) in results {
      let store = try store(storage)
      let context = EditingContext(store)
      try set([3, 1], in: context)
      try write([2, 4], to: store)

      let error = #expect(throws: ConflictError.self) { try context.save() }
      let conflict = try #require(error?.conflicts.first { $0.kind == .linked })
      #expect(conflict.row == RowIdentity(entity: "Owner", stored: 1))
      let key = try #require(conflict.keys.first)
      #expect(key.key == "members" && conflict.keys.count == 1)
      #expect(key.old == .array([.int64(1), .int64(2), .int64(3)]))
      #expect(key.mine == .array([.int64(1), .int64(3)]))
      #expect(key.theirs == .array([.int64(2), .int64(4)]))
      #expect(try members(in: context) == [1, 3])
      #expect(try members(in: EditingContext(store)) == [2, 4])
      context.conflictPolicy = policy
      try context.save()

      #expect(try members(in: context) == expected, "\(policy)")
      #expect(try members(in: EditingContext(store)) == expected, "\(policy)")
      #expect(!context.hasChanges)
      try set([5], in: context)
      try context.save()
      #expect(try members(in: EditingContext(store)) == [5])
    }
  }

  @Test(arguments: Storage.allCases)
  func linksThatAreEditedOneByOneAreMerged(storage: Storage) throws {
    let store = try store(storage)
    let context = EditingContext(store)
    let owner = try owner(in: context)
    _ = try owner.relatedRows("members")
    try owner.add(context.row(RowIdentity(entity: "Member", stored: 4)), to: "members")
    try owner.remove(context.row(RowIdentity(entity: "Member", stored: 1)), from: "members")
    try write([1, 2, 5], to: store)

    try context.save()

    #expect(try members(in: context) == [2, 4, 5])
    #expect(try members(in: EditingContext(store)) == [2, 4, 5])
  }

  @Test(arguments: Storage.allCases)
  func undoingAnAssignmentUndoesTheConflict(storage: Storage) throws {
    let store = try store(storage)
    let context = EditingContext(store)
    try set([3], in: context)
    context.undo()
    try owner(in: context).set("name", to: "a")
    try write([4], to: store)

    try context.save()

    #expect(try members(in: EditingContext(store)) == [4])
  }

  @Test func childContextsConflictWithTheirParents() throws {
    let store = try store(.table)
    let parent = EditingContext(store)
    #expect(try members(in: parent) == [1, 2, 3])
    let child = EditingContext(childOf: parent)
    try set([3, 1], in: child)
    try set([2, 4], in: parent)

    #expect(throws: ConflictError.self) { try child.save() }
    #expect(try members(in: parent) == [2, 4] && members(in: child) == [1, 3])
    child.conflictPolicy = .perKey
    try child.save()

    #expect(try members(in: parent) == [4] && members(in: child) == [4])
    try parent.save()
    #expect(try members(in: EditingContext(store)) == [4])
  }

  @Test func anAssignmentInAChildConflictsWithTheStore() throws {
    let store = try store(.table)
    let parent = EditingContext(store)
    let child = EditingContext(childOf: parent)
    try set([3, 1], in: child)
    try child.save()
    try write([2, 4], to: store)

    let error = #expect(throws: ConflictError.self) { try parent.save() }
    #expect(error?.conflicts.map(\.kind) == [.linked])
  }

  @Test func theClosureChoosesAnOrderThatBothSidesHaveChanged() throws {
    for (choice, expected) in [(KeyChoice.mine, [3, 1, 2, 4]), (.theirs, [2, 3, 1, 4])] {
      let store = try emptyStore(
        entities: Entity("Member", attributes: []),
        Entity(
          "Owner", attributes: [],
          relationships: [.toMany("members", "Member", isOrdered: true)]))
      let maker = EditingContext(store)
      let rows = try (0..<4).map { _ in try maker.insert("Member") }
      try maker.insert("Owner").setRelatedRows("members", to: rows[..<3])
      try maker.save()
      let context = EditingContext(store)
      context.conflictPolicy = .perKey { _ in choice }
      try owner(in: context).move(in: "members", from: 2, to: 0)
      try write([2, 3, 1, 4], to: store)

      try context.save()

      #expect(try members(in: context) == expected.map(Int64.init))
      #expect(try members(in: EditingContext(store)) == expected.map(Int64.init))
    }
  }

  @Test(arguments: [DeleteRule.nullify, .cascade])
  func aRowToWhichAnotherRowWasLinkedIsNotDeletedSilently(rule: DeleteRule) throws {
    for policy in [ConflictPolicy.error, .contextWins, .perKey, .storeWins] {
      let store = try emptyStore(
        entities: Entity(
          "Owner", attributes: [],
          relationships: [.toMany("members", "Member", inverse: "owner", onDelete: rule)]),
        Entity(
          "Member", attributes: [], relationships: [.toOne("owner", "Owner", inverse: "members")]))
      let maker = EditingContext(store)
      try maker.insert("Owner").add(maker.insert("Member"), to: "members")
      try maker.save()
      let context = EditingContext(store)
      context.conflictPolicy = policy
      try context.delete(owner(in: context))
      try maker.insert("Member").setRelatedRow("owner", to: owner(in: maker))
      try maker.save()

      if case .error = policy {
        let error = #expect(throws: ConflictError.self) { try context.save() }
        #expect(error?.conflicts.map(\.kind) == [.linked])
        #expect(error?.conflicts.first?.keys.map(\.key) == ["members"])
      } else {
        try context.save()
      }

      let isDeleted =
        if case .storeWins = policy { false } else if case .error = policy { false } else { true }
      let isCascade = isDeleted && rule == .cascade
      #expect(try store.count("Owner") == (isDeleted ? 0 : 1))
      #expect(try store.count("Member") == (isCascade ? 0 : 2))
      if case .error = policy { continue }
      let shown = try context.fetch("Member").map { try $0.relatedRow("owner") != nil }
      #expect(shown == Array(repeating: !isDeleted, count: isCascade ? 0 : 2))
      #expect(!context.hasChanges)
    }
  }
}
