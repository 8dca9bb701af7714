import MohoMapping
import MohoRows
import StoreTesting
import Testing

/// Rules of models that read related rows, when only the related rows change.
@Suite(.allEngines) struct RelatedRuleTests {
  private let store: ModelStore

  init() throws { store = try Houses.filledStore() }

  /// Runs a closure that leaves an invalid row, and checks that it has changed nothing.
  @discardableResult
  private func expectRefusal<Result>(
    of row: String, _ expectation: String, sourceLocation: SourceLocation = #_sourceLocation,
    _ body: () throws -> Result
  ) throws -> MappingError? {
    let before = try store.dump()
    let error = #expect(throws: MappingError.self, sourceLocation: sourceLocation) { try body() }
    #expect(error?.code == .failedValidation, sourceLocation: sourceLocation)
    #expect(error?.row == row, sourceLocation: sourceLocation)
    #expect(error?.expected == expectation, sourceLocation: sourceLocation)
    #expect(try store.dump() == before, sourceLocation: sourceLocation)
    return error
  }

  private func partial(_ id: Int, _ change: (inout Partial<Houses.Room>) -> Void)
    -> Partial<Houses.Room>
  {
    var partial = Partial<Houses.Room>()
    partial[\.id] = id
    change(&partial)
    return partial
  }

  @Test func aSavedModelIsCheckedWithTheModelsThatContainIt() throws {
    let error = try expectRefusal(of: "`House` 5", "different rooms") {
      let room = try Houses.Room(id: 2, name: 1, house: ModelReference(key: 5))
      try store.write { try $0.save(room) }
    }

    #expect(
      error?.description
        == "failed validation: nothing, expected different rooms - `House`, row `House` 5")
  }

  @Test func aNewLinkIsChecked() throws {
    try expectRefusal(of: "`House` 5", "different rooms") {
      let room = try Houses.Room(id: 3, name: 1, house: ModelReference(key: 5))
      try store.write { try $0.save([room]) }
    }
  }

  @Test func aPartialUpdateIsChecked() throws {
    try expectRefusal(of: "`House` 5", "different rooms") {
      try store.write { try $0.update([partial(2) { $0[\.name] = 1 }]) }
    }
    try expectRefusal(of: "`House` 5", "different rooms") {
      try store.write { try $0.upsert([partial(2) { $0[\.name] = 1 }]) }
    }
  }

  @Test func aModelAtTwoLevelsAndAnInlinedModelAreChecked() throws {
    try expectRefusal(of: "`City` 1", "an area up to the limit") {
      try store.write { writer in
        try writer.update([partial(2) { $0[\.size] = Houses.Size(width: 5, height: 2) }])
      }
    }
  }

  @Test func aRuleOfAKeyThatRelatesModelsIsChecked() throws {
    try expectRefusal(of: "`House` 5", "tags of at most 10") {
      try store.write { try $0.save(Houses.Tag(id: 1, weight: 11)) }
    }
    try expectRefusal(of: "`House` 5", "owner up to 8") {
      try store.write { try $0.save(Houses.Person(id: 1, low: 1, high: 9)) }
    }
  }

  @Test func allModelsThatContainAChangedModelAreChecked() throws {
    try expectRefusal(of: "`Node` 2", "children up to the value") {
      try store.write { writer in
        var node = Partial<Houses.Node>()
        node[\.id] = 3
        node[\.value] = 10
        try writer.update([node])
      }
    }
    try expectRefusal(of: "`Node` 1", "a sum up to 30") {
      try store.write { writer in
        for id in 4...5 {
          try writer.save(
            Houses.Node(id: id, value: 2, children: [], parent: ModelReference(key: 3)))
        }
      }
    }
  }

  @Test func aDeletionIsCheckedWithItsDeleteRules() throws {
    struct Leaf: MappedModel {
      var id: Int
      static let mapping = Mapping("Leaf", Leaf.init, .key("id", \.id, .unique))
    }
    struct Branch: MappedModel {
      var id: Int
      var leaf: Leaf?
      var leaves: [Leaf]
      static let mapping = Mapping(
        "Branch", Branch.init, .key("id", \.id, .unique), .toOne("leaf", \.leaf),
        .toMany("leaves", \.leaves)
      ).validating("a leaf") { $0.leaf != nil || !$0.leaves.isEmpty }
    }
    let store = try emptyStore(Branch.self)
    try store.write { writer in
      try writer.save(Branch(id: 1, leaf: Leaf(id: 1), leaves: []))
      try writer.save(Branch(id: 2, leaf: nil, leaves: [Leaf(id: 2), Leaf(id: 3)]))
    }

    try store.write { try $0.delete([Leaf(id: 3)]) }
    for leaf in 1...2 {
      let error = #expect(throws: MappingError.self) {
        try store.write { try $0.delete([Leaf(id: leaf)]) }
      }
      #expect(error?.row == "`Branch` \(leaf)")
      #expect(throws: MappingError.self) {
        try store.write { try $0.delete(ModelRequest<Leaf>().filter { $0.id == leaf }) }
      }
    }
    #expect(throws: MappingError.self) {
      try store.write { try $0.save([], mode: .mirror(ModelRequest<Leaf>(), deletingAtMost: 1)) }
    }
    #expect(try store.fetch(ModelRequest<Branch>()).count == 2)
    #expect(try store.count("Leaf") == 2)
  }

  @Test func aPlanReportsWhatTheWriteReports() throws {
    let room = try Houses.Room(id: 2, name: 1, house: ModelReference(key: 5))

    let planned = #expect(throws: MappingError.self) { try store.plan(saving: [room]) }
    let written = #expect(throws: MappingError.self) { try store.write { try $0.save([room]) } }

    #expect(planned?.description == written?.description)
    let valid = try Houses.Room(id: 2, name: 7, house: ModelReference(key: 5))
    let plan = try store.plan(saving: [valid])
    try store.apply(plan)
    #expect(try store.fetch(ModelRequest<Houses.House>()).first?.rooms.map(\.name) == [1, 7])
  }

  @Test func statementsAreChecked() throws {
    try expectRefusal(of: "`House` 5", "different rooms") {
      try store.execute("UPDATE \"Room\" SET name = 1 WHERE id = 2")
    }
    try expectRefusal(of: "`House` 5", "different rooms") {
      try store.execute("UPDATE \"Room\" SET house = 5 WHERE id = 3")
    }
  }

  @Test func aLinkToAMissingRowIsAnErrorOfItsOwn() throws {
    let error = #expect(throws: StoreError.self) {
      try store.execute("UPDATE \"House\" SET owner = 99")
    }
    #expect(error?.code == .danglingReference)
  }

  @Test func aTransactionMayBreakAndRestoreRules() throws {
    try store.write { writer in
      try writer.update([partial(2) { $0[\.name] = 1 }])
      try store.write { try $0.update([partial(3) { $0[\.house] = try? ModelReference(key: 5) }]) }
      try writer.update([partial(1) { $0[\.name] = 4 }, partial(3) { $0[\.name] = 5 }])
    }

    let house = try store.fetchFirst(ModelRequest<Houses.House>())
    #expect(house?.rooms.map(\.name) == [4, 1, 5])
  }

  @Test func aCaughtFailureInANestedTransactionBreaksNothing() throws {
    try store.write { writer in
      try writer.save(Houses.Tag(id: 3, weight: 1))
      _ = try? store.write { writer in
        try writer.update([partial(2) { $0[\.name] = 1 }])
        throw CancellationError()
      }
    }

    #expect(try store.count("Tag") == 3)
  }

  @Test func onlyRowsThatReadAChangeAreChecked() throws {
    try store.executeWithoutRules("UPDATE \"Room\" SET name = 1")

    try store.write { writer in
      try writer.save(Houses.House(id: 6, grade: 1, rooms: [], owner: nil, tags: [], city: nil))
      try writer.save(Houses.Room(id: 3, name: 2))
      try writer.save(Houses.Tag(id: 2, weight: 9))
    }
    try expectRefusal(of: "`House` 5", "different rooms") {
      try store.write { try $0.save(Houses.Tag(id: 1, weight: 1)) }
    }
    try store.write { try $0.update([partial(2) { $0[\.name] = 2 }]) }
    try store.write { try $0.save(Houses.Tag(id: 1, weight: 1)) }
  }

  @Test func aPartialUpdateOfARowAloneIsChecked() throws {
    var person = Partial<Houses.Person>()
    person[\.id] = 1
    person[\.low] = 6

    try expectRefusal(of: "`Person` 1", "low up to high") {
      try store.write { try $0.update([person]) }
    }
    try expectRefusal(of: "`Person` 1", "low up to high") {
      try store.write { try $0.upsert([person]) }
    }
    person[\.high] = 7
    let error = #expect(throws: MappingError.self) { try store.write { try $0.update([person]) } }
    #expect(error?.expected == "an owner of the grade")
  }

  @Test func allFailuresAreReported() throws {
    let houses = (10..<13).map {
      Houses.House(
        id: $0, grade: 1, rooms: [], owner: nil, tags: [Houses.Tag(id: 2, weight: 6)], city: nil)
    }
    try store.write { try $0.save(houses) }

    let error = #expect(throws: MappingError.self) {
      try store.write { try $0.save(Houses.Tag(id: 2, weight: 20)) }
    }

    #expect(error?.errors.map(\.row) == ["`House` 10", "`House` 11", "`House` 12"])
  }

  @Test func atMostOneHundredFailuresAreReported() throws {
    let houses = (10..<700).map {
      Houses.House(
        id: $0, grade: 1, rooms: [], owner: nil, tags: [Houses.Tag(id: 2, weight: 6)], city: nil)
    }
    try store.write { try $0.save(houses) }

    let error = #expect(throws: MappingError.self) {
      try store.write { try $0.save(Houses.Tag(id: 2, weight: 20)) }
    }

    #expect(error?.errors.map(\.row) == (10..<110).map { "`House` \($0)" })
  }
}
