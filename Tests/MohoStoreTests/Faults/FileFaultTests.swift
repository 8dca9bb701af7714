import Fixtures
import Foundation
import GRDB
import MohoMapping
import MohoRows
import MohoSQLite
import StoreTesting
import Testing

@Suite struct FileFaultTests {
  private let all = ModelRequest<Episode>()

  private func open(
    _ path: String, _ configuration: StoreConfiguration = StoreConfiguration()
  ) throws -> ModelStore {
    try ModelStore(path: path, models: Episode.self, configuration: configuration)
  }

  @Test func aFileOfAnotherApplicationIsLeftAsItIs() throws {
    try withStorePath { path in
      try DatabaseQueue(path: path).write {
        try $0.execute(sql: "PRAGMA application_id = 252006675; CREATE TABLE x (y)")
      }
      let before = try Data(contentsOf: URL(filePath: path))

      let error = #expect(throws: StoreError.self) { try open(path) }

      #expect(error?.code == .foreignFile)
      #expect(error?.subject == path)
      #expect(try Data(contentsOf: URL(filePath: path)) == before)
    }
  }

  @Test func aTableOfAnotherApplicationIsLeftAsItIs() throws {
    try withStorePath { path in
      try DatabaseQueue(path: path).write {
        try $0.execute(sql: "CREATE TABLE Episode (id INTEGER PRIMARY KEY, title TEXT NOT NULL)")
      }
      let before = try Data(contentsOf: URL(filePath: path))

      let error = #expect(throws: StoreError.self) { try open(path) }

      #expect(error?.code == .incompatibleSchema)
      #expect(
        error?.suggestion
          == "open another file, or use the version of the program that created it")
      #expect(try Data(contentsOf: URL(filePath: path)) == before)
    }
  }

  @Test func aViewOfTheNameOfAnEntityIsRefused() throws {
    try withStorePath { path in
      try DatabaseQueue(path: path).write {
        try $0.execute(sql: "CREATE TABLE t (x); CREATE VIEW Episode AS SELECT * FROM t")
      }

      let error = #expect(throws: StoreError.self) { try open(path) }

      #expect(error?.code == .incompatibleSchema)
    }
  }

  @Test func theApplicationIdentifierTellsOwnFilesFromOthers() throws {
    try withStorePath { path in
      var mine = StoreConfiguration()
      mine.applicationID = 1_000
      var others = StoreConfiguration()
      others.applicationID = 2_000
      try open(path, mine).write { try $0.save(Episode.number(1)) }

      #expect(try open(path, mine).fetch(all) == [.number(1)])
      for configuration in [others, StoreConfiguration()] {
        let error = #expect(throws: StoreError.self) { try open(path, configuration) }
        #expect(error?.code == .foreignFile)
      }
    }
  }

  @Test(arguments: [false, true])
  func aFileThatIsMovedOrReplacedTakesNoMoreWrites(isReplaced: Bool) throws {
    try withStorePath { path in
      let store = try open(path)
      try store.write { try $0.save(Episode.number(1)) }
      try FileManager.default.moveItem(atPath: path, toPath: path + ".moved")
      if isReplaced { try Data("something else".utf8).write(to: URL(filePath: path)) }

      let error = #expect(throws: StoreError.self) {
        try store.write { try $0.save(Episode.number(2)) }
      }

      #expect(error?.code == .replaced)
      #expect(try store.fetch(all) == [.number(1)])
    }
  }

  @Test func aFullDiskLeavesTheStoreAsItWas() throws {
    try withStorePath { path in
      let store = try open(path)
      try store.write { try $0.save((1...50).map { Episode.number($0) }) }
      let before = try store.fetch(all)
      try store.writer.writeWithoutTransaction { database in
        let pages = try Int.fetchOne(database, sql: "PRAGMA page_count") ?? 0
        try database.execute(sql: "PRAGMA max_page_count = \(pages + 2)")
      }

      let error = #expect(throws: StoreError.self) {
        try store.write { writer in
          try writer.save((51...5_000).map { Episode.number($0, title: "\($0) \(UUID())") })
        }
      }

      #expect(error?.code == .full)
      #expect(try store.fetch(all) == before)
      try store.write { try $0.save(Episode.number(51)) }
      #expect(try store.fetchCount(all) == 51)
    }
  }

  @Test func aDiskThatFillsDuringAMigrationLeavesTheOldStore() throws {
    let queue = try DatabaseQueue()
    let old = try ModelStore(
      adopting: queue, entities: [Entity("E", attributes: [Attribute("a", .string)])])
    try queue.write { database in
      for index in 0..<2_000 {
        try database.execute(
          sql: "INSERT INTO E (a) VALUES (?)", arguments: ["\(index) some text to fill pages"])
      }
      let pages = try Int.fetchOne(database, sql: "PRAGMA page_count") ?? 0
      try database.execute(sql: "PRAGMA max_page_count = \(pages + 3)")
    }
    let before = try schema(queue)

    let error = #expect(throws: StoreError.self) {
      try ModelStore(
        adopting: queue,
        entities: [
          Entity(
            "E", attributes: [Attribute("a", .string), Attribute("b", .string, isOptional: true)])
        ])
    }

    #expect(error?.code == .full)
    #expect(try schema(queue) == before)
    #expect(try queue.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM E") } == 2_000)
    withExtendedLifetime(old) {}
  }

  private func schema(_ reader: some DatabaseReader) throws -> [Row] {
    try reader.read { try Row.fetchAll($0, sql: "SELECT * FROM sqlite_schema ORDER BY name") }
  }

  @Test(.enabled(if: getuid() != 0, "root may write to any file"))
  func aFileThatMayNotBeWrittenIsRead() throws {
    try withStorePath { path in
      try open(path).write { try $0.save(Episode.number(1)) }
      try FileManager.default.setAttributes([.posixPermissions: 0o444], ofItemAtPath: path)

      let store = try open(path)
      let error = #expect(throws: StoreError.self) {
        try store.write { try $0.save(Episode.number(2)) }
      }

      #expect(error?.code == .readOnly)
      #expect(try store.fetch(all) == [.number(1)])
    }
  }
}
