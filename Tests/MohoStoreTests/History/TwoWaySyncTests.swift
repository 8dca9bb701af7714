import Campaigns
import Foundation
import MohoMapping
import MohoRows
import MohoSQLite
import MohoTesting
import StoreTesting
import Testing

/// Synchronizes the rows of a model in two stores.
///
/// Each store may be changed in the meantime. If both have changed a row, the later
/// change wins. Deletions are changes, too.
private struct TwoWaySync<Model: MappedModel> {
  /// The author of the changes that are received from the other store. They are
  /// not sent back.
  static var author: String { "sync" }

  let stores: (ModelStore, ModelStore)

  /// The positions of the last synchronization. An app stores them.
  private(set) var tokens: (HistoryToken?, HistoryToken?) = (nil, nil)

  init(_ one: ModelStore, _ two: ModelStore) { stores = (one, two) }

  /// Exchanges all changes since the last call.
  mutating func run() throws {
    // The transactions prevent other changes until both stores are equal.
    tokens = try stores.0.write(author: Self.author) { one in
      try stores.1.write(author: Self.author) { two in
        let changes = (
          try one.reader.fetchChanges(since: tokens.0, excludingAuthors: [Self.author]),
          try two.reader.fetchChanges(since: tokens.1, excludingAuthors: [Self.author])
        )
        let first = changes.0.rows(of: Model.self).filter { !isEarlier($0, than: changes.1) }
        let second = changes.1.rows(of: Model.self).filter { change in
          // The first store wins if both changes have the same date.
          !first.contains { $0.key == change.key }
        }
        try send(first, from: one.reader, to: two)
        try send(second, from: two.reader, to: one)
        return (changes.0.token, changes.1.token)
      }
    }
  }

  private func isEarlier(_ change: HistoryChange, than others: HistoryChanges) -> Bool {
    guard let reference = change.reference(to: Model.self), let other = others[reference] else {
      return false
    }
    return change.date < other.date
  }

  private func send(
    _ changes: [HistoryChange], from reader: StoreReader, to writer: StoreWriter
  ) throws {
    for change in changes where change.kind == .deleted {
      guard let reference = change.reference(to: Model.self) else { continue }
      try writer.delete(ModelRequest<Model>().filter { $0.isRow(reference) })
    }
    try writer.save(reader.fetch(Model.self, in: changes))
  }
}

/// Two-way synchronization with the public API.
@Suite(.allEngines) struct TwoWaySyncTests {
  private struct Task: MappedModel, Hashable {
    var id: String
    var text = ""
    var isDone = false

    static let mapping = Mapping(
      "Task", Task.init, .key("id", \.id, .unique), .key("text", \.text, default: ""),
      .key("isDone", \.isDone, default: false))
  }

  private func stores() throws -> (ModelStore, ModelStore) {
    (
      try emptyStore(Task.self, history: .enabled()),
      try emptyStore(Task.self, history: .enabled())
    )
  }

  private func tasks(_ store: ModelStore) throws -> [Task] {
    try store.fetch(ModelRequest<Task>().order(by: \.id))
  }

  /// Moves the unsynchronized changes of a store, which are the last ones, to a later time.
  private func delay(_ store: ModelStore, by seconds: Double) throws {
    if store.isOnPostgres {
      return try store.execute(
        """
        UPDATE "_moho history" SET date = date + interval '\(seconds) seconds'
        WHERE date = (SELECT max(date) FROM "_moho history")
        """)
    }
    try store.write { writer in
      try writer.execute(
        sql: """
          UPDATE "_moho history transactions" SET date = date + ? / 86400
          WHERE author IS NOT 'sync'
          """, arguments: [seconds])
    }
  }

  @Test func bothStoresReceiveTheChangesOfTheOther() throws {
    let (phone, tablet) = try stores()
    var sync = TwoWaySync<Task>(phone, tablet)
    try phone.write { try $0.save([Task(id: "a", text: "Buy maps"), Task(id: "b")]) }
    try tablet.write { try $0.save(Task(id: "c", text: "Sharpen hammer")) }

    try sync.run()
    #expect(try tasks(phone).map(\.id) == ["a", "b", "c"])
    #expect(try tasks(tablet) == tasks(phone))

    try phone.write { try $0.delete([Task(id: "b")]) }
    try tablet.write { try $0.save(Task(id: "a", text: "Buy maps", isDone: true)) }
    try sync.run()
    #expect(
      try tasks(phone) == [
        Task(id: "a", text: "Buy maps", isDone: true), Task(id: "c", text: "Sharpen hammer"),
      ])
    #expect(try tasks(tablet) == tasks(phone))
  }

  @Test func receivedChangesAreNotSentBack() throws {
    let (phone, tablet) = try stores()
    var sync = TwoWaySync<Task>(phone, tablet)
    try phone.write { try $0.save(Task(id: "a")) }
    try sync.run()
    let tokens = (try phone.currentHistoryToken(), try tablet.currentHistoryToken())

    try sync.run()

    #expect(try phone.fetchHistory(since: tokens.0) == [])
    #expect(try tablet.fetchHistory(since: tokens.1) == [])
    #expect(try tablet.fetchHistory(since: nil).map(\.author) == ["sync"])
    #expect(try tablet.fetchChanges(since: nil, excludingAuthors: ["sync"]).isEmpty)
  }

  @Test(arguments: [true, false]) func theLaterOfTwoChangesWins(phoneIsLater: Bool) throws {
    let (phone, tablet) = try stores()
    var sync = TwoWaySync<Task>(phone, tablet)
    try phone.write { try $0.save([Task(id: "a"), Task(id: "b")]) }
    try sync.run()

    try phone.write { try $0.save(Task(id: "a", text: "phone")) }
    try tablet.write { try $0.delete([Task(id: "a")]) }
    try delay(phoneIsLater ? phone : tablet, by: 10)
    try sync.run()

    #expect(
      try tasks(phone) == (phoneIsLater ? [Task(id: "a", text: "phone")] : []) + [Task(id: "b")])
    #expect(try tasks(tablet) == tasks(phone))
  }

  @Test(arguments: 0..<UInt64(Campaign.count(short: 10, full: 100)))
  func storesAreEqualAfterRandomChanges(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let (phone, tablet) = try stores()
    var sync = TwoWaySync<Task>(phone, tablet)
    for round in 0..<12 {
      for _ in 0..<random.below(8) {
        let store = random.oneIn(2) ? phone : tablet
        let task = Task(id: "\(random.below(6))", text: "\(random.below(4))")
        switch random.below(4) {
        case 0: try store.write { try $0.delete([task]) }
        case 1:
          try store.write { writer in
            try writer.execute(
              sql: """
                UPDATE "Task" SET id = '\(task.id)' WHERE id = '\(task.text)'
                AND NOT EXISTS (SELECT 1 FROM "Task" WHERE id = '\(task.id)')
                """)
          }
        default: try store.write { try $0.save(task) }
        }
      }
      try sync.run()
      let tasks = try tasks(phone)
      #expect(try self.tasks(tablet) == tasks, "seed \(seed), round \(round)")
      let token = try phone.currentHistoryToken()
      try sync.run()
      #expect(try phone.fetchHistory(since: token) == [], "seed \(seed), round \(round)")
    }
  }
}
