import Fixtures
import Foundation
import GRDB
import MohoMapping
import MohoRows
import MohoSQLite
import Synchronization
import Testing

@Suite struct DeclaredMigrationTests {
  private struct First: MappedModel, Equatable {
    var id: Int
    var title: String
    var no: String
    static let mapping = Mapping(
      "Episode", First.init, .key("id", \.id, .unique), .key("title", \.title, .indexed),
      .key("no", \.no))
  }

  private struct Second: MappedModel, Equatable {
    var id: Int
    var name: String
    var season: Int
    var number: Int
    static let mapping = Mapping(
      "Episode", Second.init, .key("id", \.id, .unique), .key("name", \.name, .indexed),
      .key("season", \.season), .key("number", \.number))
  }

  private static let steps = Migration("add seasons") { steps in
    steps.rename("title", of: "Episode", to: "name")
    steps.transform("no", of: "Episode", into: "season") { no in
      guard case .string(let text) = no else { return .null }
      return .int64(Int64(text.prefix { $0 != "x" }) ?? 0)
    }
    steps.transform("no", of: "Episode", into: "number") { no in
      guard case .string(let text) = no else { return .null }
      return .int64(Int64(text.drop { $0 != "x" }.dropFirst()) ?? 0)
    }
    steps.transform("number", of: "Episode") { number in
      guard case .int64(let number) = number else { return number }
      return .int64(number * 10)
    }
  }

  private let queue: DatabaseQueue

  init() throws {
    queue = try DatabaseQueue()
    try ModelStore(adopting: queue, models: First.self).write {
      try $0.save([First(id: 1, title: "a", no: "2x3"), First(id: -4, title: "b", no: "1x12")])
    }
  }

  private func dump() throws -> [Row] {
    try queue.read { database in
      try Row.fetchAll(database, sql: "SELECT * FROM sqlite_schema ORDER BY name")
        + Row.fetchAll(database, sql: "SELECT * FROM Episode ORDER BY 1")
        + Row.fetchAll(database, sql: "SELECT * FROM _moho_migrations ORDER BY 1")
    }
  }

  private func expectRefused(
    _ migration: Migration, location: SourceLocation = #_sourceLocation
  ) throws -> StoreError? {
    let before = try dump()
    let error = #expect(throws: StoreError.self, sourceLocation: location) {
      try ModelStore(
        adopting: queue, models: Second.self,
        configuration: StoreConfiguration(migrations: [migration]))
    }
    #expect(try dump() == before, sourceLocation: location)
    return error
  }

  @Test func valuesAreRenamedAndTransformed() throws {
    let store = try ModelStore(
      adopting: queue, models: Second.self,
      configuration: StoreConfiguration(migrations: [Self.steps]))

    #expect(
      try store.fetch(ModelRequest<Second>().order(by: \.id)) == [
        Second(id: -4, name: "b", season: 1, number: 120),
        Second(id: 1, name: "a", season: 2, number: 30),
      ])
    let sql = try queue.read {
      try String.fetchAll($0, sql: "SELECT sql FROM sqlite_schema WHERE sql NOTNULL")
    }
    #expect(store.schema.statements.allSatisfy(sql.contains))
    #expect(!sql.contains { $0.contains("_moho new") })
  }

  @Test func eachIsRunOnceInTheirOrder() throws {
    let runs = Mutex<[String]>([])
    func migration(_ name: String) -> Migration {
      Migration(name) { $0.run("note") { _ in runs.withLock { $0.append(name) } } }
    }
    func open(_ migrations: Migration...) throws {
      _ = try ModelStore(
        adopting: queue, models: First.self,
        configuration: StoreConfiguration(migrations: migrations))
    }

    try open(migration("b"), migration("a"))
    try open(migration("b"), migration("a"))
    try open(migration("b"), migration("a"), migration("c"))

    #expect(runs.withLock { $0 } == ["b", "a", "c"])
  }

  @Test func aNewStoreRunsNone() throws {
    let queue = try DatabaseQueue()
    let configuration = StoreConfiguration(migrations: [
      Self.steps, Migration("fail") { $0.sql("not SQL") },
    ])
    for _ in 0..<2 {
      _ = try ModelStore(adopting: queue, models: Second.self, configuration: configuration)
    }

    let names = try queue.read { try String.fetchAll($0, sql: "SELECT name FROM _moho_migrations") }
    #expect(names == ["add seasons", "fail"])
  }

  @Test func modelsAreConverted() throws {
    let migration = Migration("convert") { steps in
      steps.convert(First.self, to: Second.self) { first in
        first.id < 0
          ? nil : Second(id: first.id * 2, name: first.title + "!", season: 0, number: 9)
      }
    }

    let store = try ModelStore(
      adopting: queue, models: Second.self,
      configuration: StoreConfiguration(migrations: [migration]))

    #expect(
      try store.fetch(ModelRequest<Second>()) == [Second(id: 2, name: "a!", season: 0, number: 9)])
    let tables = try queue.read {
      try String.fetchAll($0, sql: "SELECT name FROM sqlite_schema WHERE type = 'table'")
    }
    #expect(tables.sorted() == ["Episode", "_moho_entities", "_moho_migrations"])
  }

  @Test func modelsAreConvertedIntoThoseOfAnotherEntityBatchByBatch() throws {
    struct Second: MappedModel, Equatable {
      var id: Int
      static let mapping = Mapping("Second", Second.init, .key("id", \.id, .unique))
    }
    let store = try ModelStore(adopting: queue, models: First.self)
    try store.write { writer in
      try writer.save((1...1_234).map { First(id: $0, title: "\($0)", no: "") })
    }
    let progress = Mutex<[Int]>([])
    var configuration = StoreConfiguration(migrations: [
      Migration("convert") { $0.convert(First.self, to: Second.self) { Second(id: $0.id + 1) } }
    ])
    configuration.onMigrationProgress = { step in progress.withLock { $0.append(step.rows) } }

    let converted = try ModelStore(
      adopting: queue, models: Second.self, configuration: configuration)

    #expect(try converted.fetchCount(ModelRequest<Second>()) == 1_235)
    #expect(try converted.fetchFirst(ModelRequest<Second>())?.id == -3)
    #expect(Array(progress.withLock { $0 }.prefix(4)) == [0, 500, 1_000, 1_235])
    #expect(try queue.read { try $0.tableExists("Episode") } == false)
  }

  @Test func sqlIsRunInTheTransaction() throws {
    let migration = Migration("sql") { steps in
      steps.rename("title", of: "Episode", to: "name")
      steps.sql(
        """
        ALTER TABLE Episode ADD COLUMN season INTEGER;
        UPDATE Episode SET season = 5;
        ALTER TABLE Episode ADD COLUMN number INTEGER;
        UPDATE Episode SET number = length(no);
        """)
      steps.discard("no", of: "Episode")
    }

    let store = try ModelStore(
      adopting: queue, models: Second.self,
      configuration: StoreConfiguration(migrations: [migration]))

    #expect(
      try store.fetch(ModelRequest<Second>().order(by: \.id)) == [
        Second(id: -4, name: "b", season: 5, number: 4),
        Second(id: 1, name: "a", season: 5, number: 3),
      ])
  }

  private struct Refusal: Error {}

  /// Steps that fail, with parts of the error messages.
  @Test func aStepThatFailsLeavesTheStoreAsItWas() throws {
    let cases: [(expected: String, StoreError.Code, (inout MigrationSteps) -> Void)] = [
      ("syntax error", .migrationFailed, { $0.sql("CREATE nonsense") }),
      ("Refusal", .migrationFailed, { $0.run("refuse") { _ in throw Refusal() } }),
      (
        "Refusal", .migrationFailed,
        { $0.transform("no", of: "Episode") { _ in throw Refusal() } }
      ),
      (
        "Refusal", .migrationFailed,
        { $0.convert(First.self, to: Second.self) { _ in throw Refusal() } }
      ),
      (
        "no column for `none`", .migrationFailed,
        { $0.transform("none", of: "Episode") { $0 } }
      ),
      ("no entity `None`", .migrationFailed, { $0.transform("no", of: "None") { $0 } }),
      ("identity", .migrationFailed, { $0.transform("id", of: "Episode") { $0 } }),
      ("no `none`", .migrationFailed, { $0.rename("none", of: "Episode", to: "x") }),
      ("already", .migrationFailed, { $0.rename("title", of: "Episode", to: "no") }),
      ("no `None`", .migrationFailed, { $0.rename(entity: "None", to: "Episode") }),
      ("`Episode.season` is not in the table", .incompatibleSchema, { $0.sql("SELECT 1") }),
      (
        "cannot store", .invalidValue,
        { steps in
          steps.rename("title", of: "Episode", to: "name")
          steps.transform("no", of: "Episode", into: "season") { $0 }
          steps.transform("no", of: "Episode", into: "number") { _ in .int64(1) }
        }
      ),
    ]
    for (expected, code, declare) in cases {
      let error = try expectRefused(
        Migration("failing") { steps in
          steps.sql("DELETE FROM Episode WHERE id < 0")
          declare(&steps)
        })

      #expect(error?.code == code, "\(expected)")
      if code == .invalidValue {
        #expect(error?.keys == ["season"])
      } else {
        #expect(error?.reason.contains(expected) == true, "\(error?.reason ?? "")")
      }
      if code == .migrationFailed {
        #expect(error?.reason.hasSuffix("of \"failing\"") == true)
      }
    }
  }

  @Test func progressIsReportedAndItsErrorEndsTheMigration() throws {
    let queue = try DatabaseQueue()
    let old = Entity("E", attributes: [Attribute("a", .int64)])
    let new = Entity("E", attributes: [Attribute("a", .int64, isOptional: true)], indexes: [["a"]])
    _ = try ModelStore(adopting: queue, entities: [old])
    try queue.write {
      try $0.execute(
        sql: """
          WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 25000)
          INSERT INTO E (a) SELECT i FROM n
          """)
    }
    let told = Mutex<[MigrationProgress]>([])
    var configuration = StoreConfiguration()

    configuration.onMigrationProgress = { if $0.rows >= 10_000 { throw Refusal() } }
    #expect(throws: Refusal.self) {
      try ModelStore(adopting: queue, entities: [new], configuration: configuration)
    }
    let sql = try queue.read {
      try String.fetchOne($0, sql: "SELECT sql FROM sqlite_schema WHERE name = 'E'")
    }
    #expect(try sql == Schema([old]).statements[0])

    configuration.onMigrationProgress = { step in told.withLock { $0.append(step) } }
    _ = try ModelStore(adopting: queue, entities: [new], configuration: configuration)
    let steps = told.withLock { $0 }
    #expect(steps.map(\.rows) == [0, 10_000, 20_000, 25_000, 0])
    #expect(steps.map(\.step) == [1, 1, 1, 1, 2])
    #expect(steps.allSatisfy { $0.stepCount == 2 })
    #expect(steps[0].summary == "rebuild `E`")
  }

  @Test func aStoreInsideATransactionOfItsWriterIsNotMigrated() throws {
    let before = try dump()

    let error = try queue.write { _ in
      #expect(throws: StoreError.self) {
        try ModelStore(
          adopting: queue, models: Second.self,
          configuration: StoreConfiguration(migrations: [Self.steps]))
      }
    }

    #expect(error?.suggestion == "open the store outside of a transaction")
    #expect(try dump() == before)
  }
}
