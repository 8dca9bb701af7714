import Campaigns
import MohoMapping
import MohoRows
import StoreTesting
import Testing

/// Cascades and denials over many levels and through cycles.
@Suite(.allEngines) struct CascadeTests {
  /// The ways to delete a row.
  enum Deletion: CaseIterable {
    case request, context
  }

  private static func node(_ relationships: Relationship..., unique: [[String]] = []) -> Entity {
    Entity(
      "Node", attributes: [Attribute("id", .int64, isOptional: false)],
      relationships: relationships, unique: [["id"]] + unique)
  }

  /// A chain: each row refers to the next one.
  private static let forward = node(.toOne("next", "Node", whenThisIsDeleted: .cascadeEvenIfShared))
  /// A chain in the other direction: each row refers to its parent.
  private static let backward = node(.toOne("next", "Node", whenTargetIsDeleted: .cascade))

  private func chain(_ entity: Entity, _ links: some Sequence<(Int, Int)>) throws -> ModelStore {
    let store = try emptyStore(entities: entity)
    let next = Dictionary(links.map { ($0.0, $0.1) }, uniquingKeysWith: { one, _ in one })
    var values = Set(next.keys).union(next.values).sorted().map { row in
      "(\(row), \(next[row].map { "\($0)" } ?? "NULL"))"
    }[...]
    // The rows of a long chain refer to later rows.
    while !values.isEmpty {
      let last = values.suffix(10_000)
      values = values.dropLast(10_000)
      try store.execute(
        "INSERT INTO \"Node\" (id, next) VALUES \(last.joined(separator: ", "))")
    }
    return store
  }

  private func delete(_ id: Int64, _ deletion: Deletion, in store: ModelStore) throws {
    let request = RowRequest("Node").filter { $0["id"] == id }
    switch deletion {
    case .request: _ = try store.write { try $0.delete(request) }
    case .context:
      let context = EditingContext(store)
      try context.delete(try context.fetch(request))
      try context.save()
    }
  }

  @Test(arguments: Deletion.allCases)
  func aCascadeFollowsAChain(_ deletion: Deletion) throws {
    let store = try chain(Self.forward, [(1, 2), (2, 3), (3, 4), (9, 1)])

    try delete(1, deletion, in: store)

    #expect(try store.values("SELECT id, next FROM \"Node\"") == ["9|NULL"])
  }

  @Test func sqlFollowsACascadeToo() throws {
    let store = try chain(Self.forward, [(1, 2), (2, 3), (3, 4), (9, 1)])

    try store.execute("DELETE FROM \"Node\" WHERE id = 1")

    #expect(try store.values("SELECT id, next FROM \"Node\"") == ["9|NULL"])
  }

  @Test(arguments: [true, false], Deletion.allCases)
  func aCascadeHasAnyDepth(_ isForward: Bool, _ deletion: Deletion) throws {
    let count = 2_500
    let links = (1..<count).map { isForward ? ($0, $0 + 1) : ($0 + 1, $0) }
    let store = try chain(isForward ? Self.forward : Self.backward, links)

    try delete(1, deletion, in: store)

    #expect(try store.count("Node") == 0)
  }

  @Test func theDeletionOfALongChainIsUndoneAndSaved() throws {
    let count = Campaign.count(short: 6_000, full: 100_000)
    let store = try chain(Self.forward, (1..<count).map { ($0, $0 + 1) })

    try onSmallStack {
      let context = EditingContext(store)
      let rows = try context.fetch(RowRequest("Node"))
      try context.delete(rows[0])
      #expect(context.pendingChanges.entities["Node"]?.deleted.count == count)
      context.undo()
      #expect(!context.hasChanges)
      context.redo()
      try context.save()
      #expect(try store.count("Node") == 0)
      context.undo()
      try context.save()
    }

    #expect(try store.count("Node") == count)
  }

  @Test func aChildDeletesManyRowsInFewStatements() throws {
    let counts = try [10, 100].map { rows in
      let store = try chain(Self.forward, (1...rows).map { ($0, $0 + 1_000) })
      let parent = EditingContext(store)
      let child = EditingContext(childOf: parent)
      let ids = (1...rows).map { Int64($0) }
      try child.delete(child.fetch(RowRequest("Node").filter { $0["id"].isOne(of: ids) }))
      return try count("SELECT", of: store) { try child.save() }
    }

    #expect(counts[0] == counts[1])
  }

  @Test(arguments: [true, false], Deletion.allCases)
  func aCascadeFollowsARing(_ isForward: Bool, _ deletion: Deletion) throws {
    let links = (1...1_500).map { ($0, $0 % 1_500 + 1) }
    let store = try chain(isForward ? Self.forward : Self.backward, links)

    try delete(7, deletion, in: store)

    #expect(try store.count("Node") == 0)
  }

  @Test func aCascadeDoesNotHideLinksToDeletedRows() throws {
    let file = Entity(
      "File", attributes: [Attribute("id", .int64, isOptional: false)], relationships: [],
      unique: [["id"]])
    let node = Self.node(
      .toOne("next", "Node", whenTargetIsDeleted: .noAction),
      .toOne("file", "File", whenThisIsDeleted: .cascadeEvenIfShared))
    let store = try emptyStore(Schema([node, file]))
    try store.execute("INSERT INTO \"File\" (id) VALUES (1), (3), (4)")
    try store.execute(
      """
      INSERT INTO "Node" (id, next, file) \
      VALUES (1, 3, 4), (2, 3, 3), (3, 4, 4), (4, 1, 1), (5, 4, 3)
      """)

    #expect(throws: StoreError.self) {
      try store.execute("DELETE FROM \"Node\" WHERE id IN (1, 2, 5)")
    }
    let ids: [Int64] = [1, 2, 5]
    let request = RowRequest("Node").filter { $0["id"].isOne(of: ids) }
    #expect(throws: StoreError.self) { try store.write { try $0.delete(request) } }

    #expect(try store.count("Node") == 5)
    #expect(try store.count("File") == 3)
  }

  private static func denying(isOptional: Bool) -> [Entity] {
    [
      Entity(
        "Left", attributes: [],
        relationships: [
          .toOne(
            "right", "Right", isOptional: isOptional, inverse: "lefts", whenThisIsDeleted: .deny)
        ]),
      Entity(
        "Right", attributes: [],
        relationships: [.toMany("lefts", "Left", inverse: "right", onDelete: .deny)]),
    ]
  }

  @Test(arguments: [true, false])
  func rowsThatDenyEachOtherAreDeletedTogether(_ isOptional: Bool) throws {
    let store = try emptyStore(Schema([], entities: Self.denying(isOptional: isOptional)))
    let context = EditingContext(store)
    let (left, right) = (try context.insert("Left"), try context.insert("Right"))
    try left.setRelatedRow("right", to: right)
    try context.save()
    let other = try context.insert("Left")
    try other.setRelatedRow("right", to: right)
    try context.save()

    try context.delete([left, right])
    #expect(throws: RowValidationError.self) { try context.save() }
    #expect(try store.count("Left") == 2)
    try context.delete(other)
    try context.save()

    #expect(try store.count("Left") == 0)
    #expect(try store.count("Right") == 0)
    // The rules are as before.
    let again = EditingContext(store)
    let (one, two) = (try again.insert("Left"), try again.insert("Right"))
    try one.setRelatedRow("right", to: two)
    try again.save()
    #expect(throws: StoreError.self) { try store.execute("DELETE FROM \"Left\"") }
    #expect(throws: StoreError.self) { try store.execute("DELETE FROM \"Right\"") }
    let error = #expect(throws: StoreError.self) {
      try store.write { try $0.delete(RowRequest("Left")) }
    }
    #expect(error?.code == .deniedDeletion)
    #expect(error?.keys == ["right"])
  }
}
