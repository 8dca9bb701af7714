import Fixtures
import Foundation
import GRDB
import MohoMapping
import MohoRows
import MohoSQLite
import StoreTesting
import Testing

@Suite struct OpeningTests {
  @Test func aFileKeepsWhatIsSaved() throws {
    try withStorePath { path in
      try ModelStore(path: path, models: Episode.self).write { try $0.save(Episode.number(1)) }

      let store = try ModelStore(path: path, models: Episode.self)

      #expect(try store.fetch(ModelRequest<Episode>()) == [.number(1)])
    }
  }

  @Test(
    arguments: [
      (nil, nil), (16 << 20, -16_384), (0, -1), (.min, -1), (.max, -Int(Int32.max)),
    ] as [(Int?, Int?)])
  func eachConnectionKeepsAsMuchInMemoryAsConfigured(size: Int?, pragma: Int?) throws {
    try withStorePath { path in
      let sql = "PRAGMA cache_size"
      let usual = try DatabaseQueue().read { try Int.fetchOne($0, sql: sql) }
      var configuration = StoreConfiguration()
      configuration.cacheSize = size

      let store = try ModelStore(
        path: path, models: Episode.self, configuration: configuration)

      #expect(try store.writer.read { try Int.fetchOne($0, sql: sql) } == pragma ?? usual)
      #expect(try store.writer.write { try Int.fetchOne($0, sql: sql) } == pragma ?? usual)
    }
  }

  @Test func connectionsAreSetUpAtReusedAddresses() throws {
    let request = ModelRequest<Episode>().filter { $0.title.contains("1") }
    for _ in 0..<50 {
      let store = try ModelStore(inMemory: Episode.self)
      let adopted = try ModelStore(adopting: DatabaseQueue(), models: Episode.self)
      for store in [store, adopted] {
        try store.write { try $0.save(Episode.number(1)) }
        #expect(try store.fetchCount(request) == 1)
        try store.writer.close()
      }
    }
  }

  @Test(arguments: [
    ("", "pass the path of a file, or make a store in memory"),
    ("file:///no/such/folder/a.sqlite", "pass the path of the URL, not its text"),
    ("~/no/such/folder/a.sqlite", "pass the full path of the home folder instead of `~`"),
    ("/", "pass the path of a file in this folder"),
    ("/no/such/folder/a.sqlite", "check that the folder exists and is writable"),
    ("/tmp/a\0b.sqlite", "pass the path without it"),
  ])
  func aPathAtWhichThereCanBeNoFileIsExplained(path: String, suggestion: String) throws {
    let error = #expect(throws: StoreError.self) {
      _ = try ModelStore(path: path, models: Episode.self)
    }

    #expect(error?.code == .cannotOpen)
    #expect(error?.suggestion == suggestion)
  }

  @Test func aPathWithANullCharacterOpensNoOtherFile() throws {
    try withStorePath { path in
      let error = #expect(throws: StoreError.self) {
        _ = try ModelStore.migrationPlan(path: path + "\0b", models: Episode.self)
      }

      #expect(error?.reason == "the path contains a null character")
      #expect(!FileManager.default.fileExists(atPath: path))
    }
  }

  @Test func storesCoexistWithOtherTables() throws {
    try withStorePath { path in
      try DatabaseQueue(path: path).write { try $0.execute(sql: "CREATE TABLE other (x)") }

      let store = try ModelStore(path: path, models: Episode.self, Note.self)

      let hasForeignTable = try store.writer.read { try $0.tableExists("other") }
      #expect(hasForeignTable)
      #expect(try store.fetchCount(ModelRequest<Episode>()) == 0)
    }
  }

  @Test func aStoreInMemoryIsConfiguredButForWhatConcernsFiles() throws {
    let configuration = StoreConfiguration(isReadOnly: true, migrations: [])

    let store = try ModelStore(inMemory: Episode.self, configuration: configuration)

    try store.write { try $0.save(Episode.number(1)) }
    #expect(try store.fetchCount(ModelRequest<Episode>()) == 1)
  }

  @Test func aStoreWithoutKeysHasNoTableOfTheirForms() throws {
    let store = try emptyStore(entities: Entity("Memo", attributes: []))

    let names = try store.writer.read {
      try String.fetchAll(
        $0, sql: "SELECT name FROM sqlite_schema WHERE name LIKE '_moho%' ORDER BY name")
    }

    #expect(names == ["_moho_entities", "_moho_migrations"])
  }

  @Test func tablesAreMadeWithTheirConstraints() throws {
    let store = try ModelStore(inMemory: Episode.self, Everything.self)

    let sql = try store.writer.read {
      try String.fetchAll($0, sql: "SELECT sql FROM sqlite_schema WHERE sql NOTNULL ORDER BY name")
    }

    #expect(
      sql[0] == """
        CREATE TABLE "Episode" ("id" INTEGER PRIMARY KEY, "title" TEXT NOT NULL, "summary" TEXT, \
        "kind" TEXT NOT NULL, "publishedAt" REAL NOT NULL, "thumbnailURL" TEXT, \
        "season" INTEGER, \
        "isPlayed" INTEGER NOT NULL CONSTRAINT "isPlayed" CHECK ("isPlayed" IN (0, 1))) STRICT
        """)
    #expect(
      sql[1] == #"CREATE INDEX "Episode(publishedAt)" ON "Episode" ("publishedAt")"#)
    #expect(
      sql[2].hasPrefix(
        #"CREATE TABLE "Everything" ("_moho_id" INTEGER PRIMARY KEY, "name" TEXT NOT NULL UNIQUE,"#)
    )
  }

  @Test func anotherSchemaIsRefusedWithEachDifference() throws {
    try withStorePath { path in
      try DatabaseQueue(path: path).write { database in
        try database.execute(
          sql: """
            CREATE TABLE Episode (id INTEGER PRIMARY KEY, title TEXT, summary INTEGER,
              kind TEXT NOT NULL, publishedAt REAL NOT NULL, isPlayed INTEGER NOT NULL, extra BLOB);
            INSERT INTO Episode VALUES (1, 't', 2, 'free', 0.0, 0, NULL);
            """)
      }

      let error = #expect(throws: StoreError.self) {
        try ModelStore(path: path, models: Note.self, Episode.self)
      }

      #expect(error?.code == .incompatibleSchema)
      #expect(
        error?.reason == """
          `Episode.title` is optional in the table, required in the model; \
          `Episode.summary` is INTEGER in the table, TEXT in the model; \
          `Episode.thumbnailURL` is not in the table; \
          `Episode.season` is not in the table; `Episode.extra` is not in the model
          """)
      let tables = try DatabaseQueue(path: path).read {
        try String.fetchAll($0, sql: "SELECT name FROM sqlite_schema WHERE type = 'table'")
      }
      #expect(tables == ["Episode"])
    }
  }

  @Test func otherConstraintsAreADifference() throws {
    try withStorePath { path in
      try DatabaseQueue(path: path).write { database in
        try database.execute(
          sql: """
            CREATE TABLE "select" (_moho_id INTEGER PRIMARY KEY, "order" TEXT NOT NULL,
              "a ""quoted"" name" TEXT NOT NULL UNIQUE) STRICT
            """)
      }

      let error = #expect(throws: StoreError.self) {
        try ModelStore(path: path, models: Note.self)
      }

      #expect(error?.reason == "`a \"quoted\" name` of `select` is unique only in the table")
    }
  }

  @Test func twoModelsOfOneNameAreRefused() {
    let error = #expect(throws: StoreError.self) {
      try ModelStore(inMemory: Episode.self, Episode.self)
    }

    #expect(error?.code == .invalidSchema)
  }

  @Test func anUnsoundDeclarationIsRefused() {
    struct Swapped: MappedModel {
      var title: String
      var summary: String
      static let mapping = Mapping(
        "Swapped", Swapped.init, .key("summary", \.summary), .key("title", \.title))
    }

    let error = #expect(throws: MappingError.self) { try ModelStore(inMemory: Swapped.self) }

    #expect(error?.code == .invalidDeclaration)
  }

  @Test func aFileThatIsNoDatabaseIsLeftAlone() throws {
    try withStorePath { path in
      let text = Data(String(repeating: "not a database ", count: 100).utf8)
      try text.write(to: URL(filePath: path))

      let error = #expect(throws: StoreError.self) {
        try ModelStore(path: path, models: Episode.self)
      }

      #expect(error?.code == .notADatabase)
      #expect(error?.subject == path)
      #expect(try Data(contentsOf: URL(filePath: path)) == text)
    }
  }

  @Test(arguments: ["no/such/folder/store.sqlite", ""])
  func aPathWhereNoFileCanBeIsSaid(suffix: String) throws {
    try withStorePath { path in
      let folder = URL(filePath: path).deletingLastPathComponent()

      let error = #expect(throws: StoreError.self) {
        try ModelStore(path: folder.path + "/" + suffix, models: Episode.self)
      }

      #expect(error?.code == .cannotOpen)
    }
  }

  @Test func aLockedStoreIsSaidAfterTheTimeout() throws {
    try withStorePath { path in
      let configuration = StoreConfiguration(busyTimeout: 0.05)
      let store = try ModelStore(path: path, models: Episode.self, configuration: configuration)
      try store.write { try $0.save(Episode.number(1)) }
      let other = try DatabaseQueue(path: path)

      let error = try other.inDatabase { database in
        try database.execute(sql: "BEGIN IMMEDIATE")
        defer { try? database.execute(sql: "ROLLBACK") }
        return #expect(throws: StoreError.self) {
          try store.write { try $0.save(Episode.number(2)) }
        }
      }

      #expect(error?.code == .busy)
      #expect(try store.fetch(ModelRequest<Episode>()) == [.number(1)])
    }
  }

  @Test(arguments: [-1, 0, .infinity, -.infinity, .nan, 1e300] as [TimeInterval])
  func anyTimeIsTaken(time: TimeInterval) throws {
    final class Observer: Sendable {}
    try withStorePath { path in
      let store = try ModelStore(
        path: path, models: Episode.self,
        configuration: StoreConfiguration(busyTimeout: time, externalChangesInterval: time))
      let observed = try store.observe({ _ in Observer() }) { _, _, _ in }
      try store.write { try $0.save(Episode.number(1)) }
      withExtendedLifetime(observed) {}
    }
  }

  @Test func aTableInOtherLettersIsADifference() throws {
    try withStorePath { path in
      try DatabaseQueue(path: path).write { try $0.execute(sql: "CREATE TABLE EPISODE (id)") }

      let error = #expect(throws: StoreError.self) {
        try ModelStore(path: path, models: Episode.self)
      }

      #expect(error?.code == .incompatibleSchema)
    }
  }

  @Test func aTakenUniqueValueIsNamed() throws {
    struct User: MappedModel {
      var id: Int
      var email: String
      static let mapping = Mapping(
        "User", User.init, .key("id", \.id, .unique), .key("email", \.email, .unique))
    }
    let store = try ModelStore(inMemory: User.self)
    try store.write { try $0.save(User(id: 1, email: "a")) }

    let error = #expect(throws: StoreError.self) {
      try store.write { try $0.save([User(id: 2, email: "b"), User(id: 3, email: "a")]) }
    }

    #expect(error?.code == .notUnique)
    #expect(error?.subject == "`User` 3")
    #expect(try store.fetchCount(ModelRequest<User>()) == 1)
  }
}
