import MohoMapping
import MohoTesting
import Testing

@testable import MohoRows
@testable import MohoSQLite

/// Tests the decisions of contexts as pure functions, without a store.
@Suite struct ContextPlanTests {
  @Test func positionsAscendAndFewAreWritten() {
    let cases: [(members: [Int], stored: [Int: Int64], positions: [Int64])] = [
      ([], [:], []),
      ([7, 8], [:], [0, 1]),
      ([7, 8, 9], [7: 0, 8: 1], [0, 1, 2]),
      ([7, 9], [7: 0, 8: 1, 9: 2], [0, 2]),
      ([9, 7, 8], [7: 0, 8: 1, 9: 2], [2, 3, 4]),
      ([7, 1, 8], [7: 0, 8: 5], [0, 1, 5]),
    ]
    for (members, stored, positions) in cases {
      #expect(ascendingPositions(of: members, stored: stored) == positions)
    }
    #expect(ascendingPositions(of: [7, 8, 9], stored: [7: 3, 8: .max]) == [0, 1, 2])
  }

  @Test(arguments: 0..<50 as Range<UInt64>)
  func ordersKeepWhatMustComeFirst(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    let count = random.below(12)
    var must = Array(repeating: [Int](), count: count)
    var should = must
    // Required predecessors have smaller numbers, so they never form a cycle.
    for position in must.indices {
      must[position] = (0..<position).filter { _ in random.oneIn(4) }
      should[position] = (0..<count).filter { $0 != position && random.oneIn(6) }
    }

    let ordered = order(must, should)

    #expect(ordered.sorted() == Array(0..<count), "seed \(seed)")
    for (place, position) in ordered.enumerated() {
      for before in must[position] {
        #expect(ordered[..<place].contains(before), "seed \(seed): \(before) before \(position)")
      }
    }
  }

  @Test func ordersDoAsTheyShouldWhereTheyCan() {
    #expect(order([[], [], []], [[2], [], [1]]) == [1, 2, 0])
    #expect(order([[], []], [[1], [0]]) == [0, 1])
    #expect(order([[1], [0], []], [[], [], []]).sorted() == [0, 1, 2])
    #expect(order([[1], []], [[], [0]]) == [1, 0])
  }

  @Test func stagesHaveNoRelatedElements() {
    #expect(stages([], []) == [])
    #expect(stages([2, 0, 1], [[], [], []]) == [[2, 0, 1]])
    #expect(stages([2, 0, 1], [[2], [2], []]) == [[2], [0, 1]])
    #expect(stages([0, 1, 2, 3], [[1], [], [1], [0]]) == [[0], [1], [2, 3]])
    #expect(stages([0, 1], [[0], [1]]) == [[0, 1]])
  }

  @Test(arguments: 0..<50 as Range<UInt64>)
  func stagesOfAnOrderAreFew(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    let count = random.below(30)
    let must = (0..<count).map { position in
      (0..<position).filter { _ in random.oneIn(8) }
    }
    var levels: [Int] = []
    for before in must { levels.append((before.map { levels[$0] + 1 }.max() ?? 0)) }

    let ordered = order(must, Array(repeating: [], count: count))
    let stages = stages(ordered, must)

    #expect(stages.flatMap { $0 } == ordered, "seed \(seed)")
    #expect(stages.count == (levels.max() ?? -1) + 1, "seed \(seed)")
    for stage in stages {
      #expect(stage.allSatisfy { Set(must[$0]).isDisjoint(with: stage) }, "seed \(seed)")
    }
  }

  @Test func resolutionsFollowThePolicies() {
    let row = RowIdentity(entity: "Row", stored: 1)
    func values(_ numbers: Int64...) -> [CellValue] {
      numbers.map { .content(.int64($0)) }
    }
    func resolution(
      _ policy: ConflictPolicy, mine: [CellValue]?, theirs: [CellValue]?
    ) -> Resolution {
      ConflictResolver(policy: policy).resolution(
        of: row, keys: ["a", "b"], old: values(1, 1), mine: mine, theirs: theirs)
    }
    let mine = values(2, 1)
    let policies: [ConflictPolicy] = [
      .error, .storeWins, .contextWins, .perKey, .perKey { _ in .theirs },
    ]
    for policy in policies {
      #expect(resolution(policy, mine: mine, theirs: values(1, 1)) == .write(mine))
      #expect(resolution(policy, mine: nil, theirs: values(1, 1)) == .delete)
      #expect(resolution(policy, mine: nil, theirs: nil) == .discard)
    }
    let changed = policies.map { resolution($0, mine: mine, theirs: values(3, 4)) }
    let conflict = SaveConflict(
      row: row, kind: .changed,
      keys: [
        KeyConflict(row: row, key: "a", old: .int64(1), mine: .int64(2), theirs: .int64(3)),
        KeyConflict(row: row, key: "b", old: .int64(1), mine: .int64(1), theirs: .int64(4)),
      ])
    #expect(
      changed == [
        .conflict(conflict), .keepTheirs, .write(mine), .write(values(2, 4)),
        .write(values(3, 4)),
      ])
    let gone = SaveConflict(row: row, kind: .deleted, keys: [])
    #expect(
      policies.map { resolution($0, mine: mine, theirs: nil) } == [
        .conflict(gone), .discard, .insertAgain, .conflict(gone), .conflict(gone),
      ])
    #expect(
      policies.dropFirst().map { resolution($0, mine: nil, theirs: values(3, 1)) } == [
        .keepTheirs, .delete, .delete, .delete,
      ])
  }

  @Test func suspendedRulesDoNotDetermineTheOrderOfDeletions() throws {
    let schema = try Schema([
      Entity(
        "Node", attributes: [],
        relationships: [
          .toOne("next", "Node", isOptional: false, whenThisIsDeleted: .deny),
          .toOne("owned", "Node", isOptional: false, whenThisIsDeleted: .cascadeEvenIfShared),
        ])
    ]).compiled
    let relationships = schema.entities[0].relationships
    let next = try #require(relationships.first { $0.name == "next" })
    let owned = try #require(relationships.first { $0.name == "owned" })

    // The first two rows deny the deletion of each other.
    let plan = DeletionPlan(
      deleting: 3,
      [
        DeletionLink(row: 0, related: 1, relationship: next),
        DeletionLink(row: 1, related: 0, relationship: next),
        DeletionLink(row: 2, related: 0, relationship: owned),
      ])

    #expect(plan.suspended == [next])
    #expect(plan.rounds == [[0, 1], [2]])
  }

  @Test func membersRememberWhatChangedBeforeTheyWereRead() {
    var members = Members()
    members.link(3, at: nil)
    members.unlink(1)
    #expect(!members.isLoaded && members.isChanged(isOrdered: false))
    #expect([1, 2, 3].map { members.contains($0) } == [false, nil, true])

    members.load([1, 2], positions: [0, 1])
    #expect(members.current == [2, 3])
    #expect(members.edits.added == [3] && members.edits.removed == [1])
    members.link(1, at: 0)
    members.unlink(3)
    #expect(!members.isChanged(isOrdered: true))
    members.move(from: 0, to: 1)
    #expect(members.isChanged(isOrdered: true) && !members.isChanged(isOrdered: false))
    members.revert()
    #expect(members.current == [1, 2])
    members.unlink(2)
    members.unload()
    #expect(members.edits.removed == [2] && !members.isLoaded)
  }

  @Test func anUpdateNumbersItsParametersInTheOrderOfItsArguments() throws {
    let schema = try Schema([
      Entity("Card", attributes: [Attribute("title", .string), Attribute("rank", .int64)])
    ]).compiled
    let sql = ContextWriteSQL(
      schema,
      ContextWriteDialect(
        parameter: { "?\($0)" }, equality: { column, _, parameter in "\(column) IS \(parameter)" },
        insertOrIgnore: ("INSERT OR IGNORE", "")))
    let old: [CellValue] = [.content(.string("a")), .content(.int64(1))]
    let row = ContextPlan.Row(
      handle: 0, entity: 0, identity: RowIdentity(entity: "Card", stored: 7), old: old,
      new: [.content(.string("a")), .content(.int64(2))], columns: [1])

    let write = ContextWrite.update(row, onlyIf: old)

    #expect(
      sql.statement(of: write).sql == #"""
        UPDATE "Card" SET "rank" = ?1 WHERE "_moho_id" = ?2 AND "title" IS ?3 AND "rank" IS ?4
        """#)
    #expect(sql.arguments(of: write) == [.int64(2), .int64(7), .string("a"), .int64(1)])
  }
}
