import MohoMapping
import MohoRows
import StoreTesting
import Testing

/// Rules of models that read related rows, in contexts that change only the related rows.
@Suite(.allEngines) struct RelatedRuleContextTests {
  private let store: ModelStore
  private let context: EditingContext

  init() throws {
    store = try Houses.filledStore()
    context = EditingContext(store)
  }

  private func row(_ entity: String, _ id: Int) throws -> ManagedRow {
    try context.row(RowIdentity(entity: entity, stored: Int64(id)))
  }

  private func expectRefusal(
    of row: RowIdentity, _ expectation: String, sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    let before = try store.dump()
    let error = #expect(throws: RowValidationError.self, sourceLocation: sourceLocation) {
      try context.save()
    }
    #expect(error?.failures.map(\.row) == [row], sourceLocation: sourceLocation)
    #expect(error?.failures.map(\.expected) == [expectation], sourceLocation: sourceLocation)
    #expect(error?.failures.map(\.kind) == [.failedRule], sourceLocation: sourceLocation)
    #expect(try store.dump() == before, sourceLocation: sourceLocation)
    #expect(context.hasChanges, sourceLocation: sourceLocation)
  }

  private let house = RowIdentity(entity: "House", stored: 5)
  private let city = RowIdentity(entity: "City", stored: 1)

  @Test func aRowThatIsNotLoadedIsChecked() throws {
    try row("Room", 2).set("name", to: 1)
    try expectRefusal(of: house, "different rooms")

    try row("Room", 2).set("name", to: 3)
    try context.save()
    #expect(try store.fetch(ModelRequest<Houses.House>()).count == 1)
  }

  @Test func aLoadedRowIsCheckedBeforeSaving() throws {
    #expect(try row("House", 5).value("grade", as: Int.self) == 3)
    try row("Room", 2).set("name", to: 1)
    try expectRefusal(of: house, "different rooms")
  }

  @Test func rowsAtTwoLevelsAreChecked() throws {
    for isLoaded in [false, true] {
      context.reset()
      if isLoaded {
        _ = try row("City", 1).relatedRows("houses").map { try $0.relatedRows("rooms") }
      }
      let size = Houses.Size(width: 9, height: 3)
      try row("Room", 2).set(\Houses.Room.size, to: size)
      try expectRefusal(of: city, "an area up to the limit")
    }
  }

  @Test func linksAreChecked() throws {
    try row("Room", 3).setRelatedRow("house", to: row("House", 5))
    try expectRefusal(of: house, "different rooms")
    context.reset()
    try row("House", 5).add(row("Tag", 2), to: "tags")
    try row("Tag", 2).set("weight", to: 7)
    try expectRefusal(of: house, "tags of at most 10")
  }

  @Test func aNewRowThatIsReadByAStoredOneIsChecked() throws {
    let room = try context.make("Room", ["id": 9, "name": 2])
    try room.setRelatedRow("house", to: row("House", 5))
    try expectRefusal(of: house, "different rooms")
  }

  @Test func aNewRowIsNamedByItsTemporaryIdentity() throws {
    let node = try context.make("Node", ["id": 9, "value": 1])
    try row("Node", 3).setRelatedRow("parent", to: node)
    try expectRefusal(of: node.identity, "children up to the value")
  }

  @Test func rowsAreCheckedWithoutTheDeletedOnes() throws {
    try store.write { writer in
      try writer.save(Houses.Node(id: 10, value: 9, children: [], parent: nil))
    }
    try row("Node", 2).setRelatedRow("parent", to: row("Node", 10))
    try context.delete(row("Node", 1))
    try context.save()

    try row("Node", 10).set("value", to: 8)
    try expectRefusal(of: RowIdentity(entity: "Node", stored: 10), "children up to the value")
    try context.delete(row("Node", 2))
    try context.save()
    #expect(try store.count("Node") == 1)
  }

  @Test func aChildContextIsChecked() throws {
    let child = EditingContext(childOf: context)
    try child.row(RowIdentity(entity: "Room", stored: 2)).set("name", to: 1)

    let error = #expect(throws: RowValidationError.self) { try child.save() }

    #expect(error?.failures.map(\.row) == [house])
    #expect(!context.hasChanges)
  }

  @Test func aRuleIsReportedOnceForTheRowThatBreaksIt() throws {
    _ = try context.fetch("House").map { try $0.relatedRows("rooms") }
    try row("City", 1).set("limit", to: 9)
    try row("Room", 2).set("name", to: 1)
    try expectRefusal(of: house, "different rooms")
  }

  @Test func aSaveInsideATransactionReportsItsFailures() throws {
    try row("Room", 2).set("name", to: 1)
    try store.write { writer in
      try writer.save(Houses.Tag(id: 4, weight: 1))
      #expect(throws: RowValidationError.self) { try context.save() }
    }

    #expect(try store.count("Tag") == 3)
    try row("Room", 2).set("name", to: 4)
    try context.save()
  }

  @Test func aSaveInsideATransactionAnswersForItsOwnRows() throws {
    func renameRoom(_ id: Int, to name: Int, _ writer: StoreWriter) throws {
      try writer.save(Houses.Room(id: id, name: name, house: ModelReference(key: 5)))
    }
    try store.write { writer in
      try renameRoom(2, to: 1, writer)
      try row("Tag", 2).set("weight", to: 5)
      try context.save()
      _ = try writer.plan(saving: [Houses.Tag(id: 2, weight: 4)])
      try row("House", 5).set("grade", to: 4)
      #expect(throws: RowValidationError.self) { try context.save() }
      context.reset()
      #expect(throws: MappingError.self) {
        try writer.plan(saving: [Houses.Tag(id: 1, weight: 3)])
      }
      try renameRoom(1, to: 4, writer)
    }
    #expect(try store.fetch(ModelRequest<Houses.House>()).map(\.grade) == [3])
    #expect(try store.fetch(ModelRequest<Houses.Tag>()).map(\.weight) == [4, 5])

    #expect(throws: MappingError.self) {
      try store.write { writer in
        try renameRoom(2, to: 4, writer)
        try row("Tag", 2).set("weight", to: 6)
        try context.save()
      }
    }
    #expect(try store.fetch(ModelRequest<Houses.Tag>()).map(\.weight) == [4, 5])
  }

  @Test func aRowWithoutAnOwnerThatAnotherWriterHasDeletedRefusesNothing() throws {
    let child = EditingContext(childOf: context)
    for context in [context, child] {
      _ = try context.row(house).relatedRows("rooms")
    }
    try store.write { try $0.delete([Houses.Person(id: 1, low: 1, high: 5)]) }

    try row("Room", 2).set("name", to: 3)
    try context.save()
    try child.row(RowIdentity(entity: "Room", stored: 1)).set("name", to: 4)
    try child.save()
    try context.save()

    #expect(try store.fetch(ModelRequest<Houses.House>()).first?.rooms.map(\.name) == [4, 3])
  }

  @Test func aChangedRowWithoutAnOwnerThatAnotherWriterHasDeletedIsSaved() throws {
    _ = try context.row(house).relatedRows("rooms")
    try store.write { try $0.delete([Houses.Person(id: 1, low: 1, high: 5)]) }

    try row("House", 5).set("grade", to: 4)
    try context.save()

    let stored = try store.fetch(ModelRequest<Houses.House>()).first
    #expect(stored?.grade == 4)
    #expect(stored?.owner == nil)
  }

  @Test func rulesReadTheValuesThatAnotherWriterHasSaved() throws {
    #expect(try row("House", 5).value("grade", as: Int.self) == 3)
    var other = Partial<Houses.House>()
    other[\.id] = 5
    other[\.grade] = 4
    let change = other
    try store.write { try $0.update([change]) }

    try row("Person", 1).set("low", to: 5)
    try expectRefusal(of: house, "an owner of the grade")
    try row("Person", 1).set("low", to: 4)
    try context.save()

    #expect(try store.fetch(ModelRequest<Houses.House>()).first?.owner?.low == 4)
  }

  @Test func aChangedRowIsNotRefusedForAStaleRowThatItContains() throws {
    #expect(try row("House", 5).value("grade", as: Int.self) == 3)
    try store.write { writer in
      var house = Partial<Houses.House>()
      house[\.id] = 5
      house[\.grade] = 5
      var owner = Partial<Houses.Person>()
      owner[\.id] = 1
      owner[\.low] = 5
      try writer.update([house])
      try writer.update([owner])
    }

    try row("City", 1).set("limit", to: 12)
    try context.save()

    #expect(try store.fetch(ModelRequest<Houses.City>()).map(\.limit) == [12])
  }

  @Test func aContextThatLinksADeletedRowReportsTheMissingRow() throws {
    struct Leaf: MappedModel {
      var id: Int
      static let mapping = Mapping("Leaf", Leaf.init, .key("id", \.id, .unique))
    }
    struct Branch: MappedModel {
      var id: Int
      var leaf: Leaf
      static let mapping = Mapping(
        "Branch", Branch.init, .key("id", \.id, .unique), .toOne("leaf", \.leaf)
      ).validating("a positive leaf") { $0.leaf.id > 0 }
    }
    let store = try emptyStore(Branch.self)
    try store.write { writer in
      try writer.save(Branch(id: 1, leaf: Leaf(id: 1)))
      try writer.save(Leaf(id: 2))
    }
    let context = EditingContext(store)
    let branch = try context.fetch("Branch")[0]
    let leaf = try context.row(RowIdentity(entity: "Leaf", stored: 2))
    #expect(try leaf.value("id", as: Int.self) == 2)
    try branch.setRelatedRow("leaf", to: leaf)
    try store.write { try $0.delete([Leaf(id: 2)]) }

    let error = #expect(throws: StoreError.self) { try context.save() }

    #expect(error?.code == .danglingReference)
    #expect(context.hasChanges)
  }
}
