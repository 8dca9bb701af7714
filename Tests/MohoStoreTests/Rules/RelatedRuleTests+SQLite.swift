import GRDB
import MohoMapping
import MohoRows
import Synchronization
import Testing

@testable import MohoSQLite

/// Collects the rows of commits.
private final class Observer: Sendable {
  let commits = Mutex<[[String: Set<Int64>]]>([])
}

extension RelatedRuleTests {
  private static func breakRule(_ writer: StoreWriter) throws {
    try writer.save(Houses.Room(id: 2, name: 1, house: ModelReference(key: 5)))
  }

  @Test func aSchemaWithoutSuchRulesRecordsNothing() throws {
    let store = try ModelStore.shows()

    try store.write { try $0.delete([Shows.Podcast(guid: "b", title: "")]) }

    let recorder = try store.writer.unsafeReentrantWrite { WriteRecorder.existing(of: $0) }
    #expect(recorder == nil)
  }

  @Test func rulesAreCheckedWithoutThePreupdateHook() throws {
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

  @Test func rulesAreCheckedInATransactionOfGRDB() throws {
    let queue = try DatabaseQueue()
    let store = try ModelStore(adopting: queue, models: Houses.City.self, Houses.Node.self)
    let rooms = [Houses.Room(id: 1, name: 1), Houses.Room(id: 2, name: 2)]
    try store.write { writer in
      try writer.save(
        Houses.House(id: 5, grade: 1, rooms: rooms, owner: nil, tags: [], city: nil))
    }

    try queue.write { _ in
      #expect(throws: MappingError.self) { try store.write(Self.breakRule) }
      try store.write { try $0.save(Houses.Tag(id: 1, weight: 2)) }
    }

    #expect(try store.fetch(ModelRequest<Houses.House>()).first?.rooms.map(\.name) == [1, 2])
    #expect(try store.count("Tag") == 1)
  }

  @Test func observersReceiveWhatRulesRecord() throws {
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
