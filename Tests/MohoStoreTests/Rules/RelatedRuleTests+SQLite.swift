import GRDB
import MohoMapping
import MohoRows
import StoreTesting
import Synchronization
import Testing

@testable import MohoSQLite

/// Collects the rows of commits.
private final class Observer: Sendable {
  let commits = Mutex<[[String: Set<Int64>]]>([])
}

private struct Leaf: MappedModel {
  var id: Int
  var size: Int
  var branch: ModelReference<Branch>?
  static let mapping = Mapping(
    "Leaf", Leaf.init, .key("id", \.id, .unique), .key("size", \.size),
    .toOne("branch", \.branch, inverse: "leaves"))
}

private struct Branch: MappedModel {
  var id: Int
  var leaves: [Leaf]
  static let mapping = Mapping<Branch>(
    "Branch", Branch.init, .key("id", \.id, .unique),
    .toMany("leaves", \.leaves, inverse: "branch")
  ).validating("a leaf") { !$0.leaves.isEmpty }
}

extension RelatedRuleTests {
  private static func breakRule(_ writer: StoreWriter) throws {
    try writer.save(Houses.Room(id: 2, name: 1, house: ModelReference(key: 5)))
  }

  @Test(.engine(.sqlite)) func aSchemaWithoutSuchRulesRecordsNothing() throws {
    let store = try ModelStore.shows()

    try store.write { try $0.delete([Shows.Podcast(guid: "b", title: "")]) }

    let recorder = try store.writer.unsafeReentrantWrite { WriteRecorder.existing(of: $0) }
    #expect(recorder == nil)
  }

  @Test(.engine(.sqlite)) func rulesAreCheckedWithoutThePreupdateHook() throws {
    var configuration = StoreConfiguration()
    configuration.usesPreupdateHook = false
    let store = try ModelStore(inMemory: Schema(Houses.models), configuration: configuration)
    try store.write { writer in
      let rooms = [Houses.Room(id: 1, name: 1), Houses.Room(id: 2, name: 2)]
      try writer.save(
        Houses.House(id: 5, grade: 1, rooms: rooms, owner: nil, tags: [], city: nil))
    }

    let error = #expect(throws: MappingError.self) { try store.write(Self.breakRule) }

    #expect(error?.row == "`House` 5")
    try store.write { try $0.delete(ModelRequest<Houses.Room>()) }
  }

  /// Runs a closure with a store in a database of GRDB that has a house with two rooms.
  private func withAdoptedStore(
    usesHook: Bool, _ body: (DatabaseQueue, ModelStore) throws -> Void
  ) throws {
    let queue = try DatabaseQueue()
    var configuration = StoreConfiguration()
    configuration.usesPreupdateHook = usesHook
    let store = try ModelStore(
      adopting: queue, models: Houses.City.self, Houses.Node.self, configuration: configuration)
    let rooms = [Houses.Room(id: 1, name: 1), Houses.Room(id: 2, name: 2)]
    try store.write { writer in
      try writer.save(
        Houses.House(id: 5, grade: 1, rooms: rooms, owner: nil, tags: [], city: nil))
    }
    try body(queue, store)
    #expect(try store.fetch(ModelRequest<Houses.House>()).first?.rooms.map(\.name) == [1, 2])
    #expect(try store.count("Tag") == 1)
  }

  @Test(.engine(.sqlite), arguments: [true, false])
  func rulesAreCheckedInATransactionOfGRDB(usesHook: Bool) throws {
    try withAdoptedStore(usesHook: usesHook) { queue, store in
      try queue.write { _ in
        #expect(throws: MappingError.self) { try store.write(Self.breakRule) }
        try store.write { try $0.save(Houses.Tag(id: 1, weight: 2)) }
      }
    }
  }

  @Test(.engine(.sqlite), arguments: [true, false])
  func rulesAreCheckedInASavepointOfGRDB(usesHook: Bool) throws {
    try withAdoptedStore(usesHook: usesHook) { queue, store in
      try queue.write { database in
        try database.inSavepoint {
          #expect(throws: MappingError.self) { try store.write(Self.breakRule) }
          try store.write { try $0.save(Houses.Tag(id: 1, weight: 2)) }
          return .commit
        }
      }
    }
  }

  @Test(.engine(.sqlite)) func aStoreInATransactionOfGRDBAnswersForItsOwnRows() throws {
    try withAdoptedStore(usesHook: true) { queue, store in
      try queue.write { database in
        try database.execute(sql: "UPDATE Room SET name = 2 WHERE id = 1")
        try store.write { try $0.save(Houses.Tag(id: 1, weight: 2)) }
        try database.execute(sql: "UPDATE Room SET name = 1 WHERE id = 1")
      }
    }
  }

  @Test(.engine(.sqlite), arguments: [true, false])
  func contextsInsideATransactionReportTheirFailures(usesHook: Bool) throws {
    try withAdoptedStore(usesHook: usesHook) { _, store in
      let context = EditingContext(store)
      try context.row(RowIdentity(entity: "Room", stored: 2)).set("name", to: 1)
      try store.write { writer in
        try writer.save(Houses.Tag(id: 1, weight: 2))
        #expect(throws: RowValidationError.self) { try context.save() }
      }
    }
  }

  @Test(.engine(.sqlite)) func aTableThatAnotherProgramHasRebuiltIsReadByTheNamesOfItsColumns()
    throws
  {
    try withStorePath { path in
      let store = try ModelStore(path: path, models: Branch.self)
      try store.write { writer in
        for id in 1...2 {
          try writer.save(Branch(id: id, leaves: [Leaf(id: id, size: 7)]))
        }
      }
      try store.execute("UPDATE Leaf SET size = 8")
      var configuration = Configuration()
      configuration.foreignKeysEnabled = false
      try DatabaseQueue(path: path, configuration: configuration).write { database in
        try database.execute(
          sql: """
            CREATE TABLE other (
              _moho_position_branch INTEGER, id INTEGER PRIMARY KEY, branch INTEGER, size INTEGER);
            INSERT INTO other SELECT _moho_position_branch, id, branch, size FROM Leaf;
            DROP TABLE Leaf; ALTER TABLE other RENAME TO Leaf
            """)
      }

      let error = #expect(throws: MappingError.self) {
        try store.execute("UPDATE Leaf SET branch = 2 WHERE id = 1")
      }

      #expect(error?.row == "`Branch` 1")
    }
  }

  @Test(.engine(.sqlite)) func observersReceiveWhatRulesRecord() throws {
    let store = try Houses.filledStore()
    let (observer, subscription) = try store.observe({ _ in Observer() }) { observer, changes, _ in
      observer.commits.withLock { $0.append((try? changes.get().rows) ?? [:]) }
    }

    #expect(throws: MappingError.self) { try store.write(Self.breakRule) }
    try store.write { try $0.save(Houses.Tag(id: 1, weight: 1)) }

    #expect(observer.commits.withLock { $0 } == [["Tag": [1]]])
    withExtendedLifetime(subscription) {}
  }
}
