import Foundation
import MohoMapping
import MohoRows
import StoreTesting
import Synchronization
import Testing

@Suite(.allEngines) struct DeclaredMigrationTests {
  struct First: MappedModel, Equatable {
    var id: Int
    var title: String
    var no: String
    static let mapping = Mapping(
      "Episode", First.init, .key("id", \.id, .unique), .key("title", \.title, .indexed),
      .key("no", \.no))
  }

  struct Second: MappedModel, Equatable {
    var id: Int
    var name: String
    var season: Int
    var number: Int
    static let mapping = Mapping(
      "Episode", Second.init, .key("id", \.id, .unique), .key("name", \.name, .indexed),
      .key("season", \.season), .key("number", \.number))
  }

  static let steps = Migration("add seasons") { steps in
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

  struct Refusal: Error {}

  let database: MigratedStore

  init() throws {
    database = try MigratedStore()
    try database.open(First.self).write {
      try $0.save([First(id: 1, title: "a", no: "2x3"), First(id: -4, title: "b", no: "1x12")])
    }
  }

  @Test func valuesAreRenamedAndTransformed() throws {
    let store = try database.open(Second.self, with: .migrating(Self.steps))

    #expect(
      try store.fetch(ModelRequest<Second>().order(by: \.id)) == [
        Second(id: -4, name: "b", season: 1, number: 120),
        Second(id: 1, name: "a", season: 2, number: 30),
      ])
    try database.expectAsDeclared(Second.self)
  }

  @Test func valuesOfAnotherTypeAreTransformedAgain() throws {
    struct Third: MappedModel, Equatable {
      var id: Int
      var title: String
      var no: Int
      var first: Int
      var second: Int
      static let mapping = Mapping(
        "Episode", Third.init, .key("id", \.id, .unique), .key("title", \.title, .indexed),
        .key("no", \.no), .key("first", \.first), .key("second", \.second))
    }
    let length: @Sendable (FieldContent) -> FieldContent = { content in
      if case .string(let text) = content { .int64(Int64(text.count)) } else { content }
    }
    let migration = Migration("lengths") { steps in
      steps.transform("no", of: "Episode", into: "first", length)
      steps.transform("no", of: "Episode", into: "second", length)
      steps.transform("no", of: "Episode", length)
      steps.transform("no", of: "Episode") { content in
        if case .int64(let number) = content { .int64(number * 10) } else { content }
      }
    }

    let store = try database.open(Third.self, with: .migrating(migration))

    #expect(
      try store.fetch(ModelRequest<Third>().order(by: \.id)) == [
        Third(id: -4, title: "b", no: 40, first: 4, second: 4),
        Third(id: 1, title: "a", no: 30, first: 3, second: 3),
      ])
  }

  @Test func valuesOfAnotherTypeReplaceAColumn() throws {
    struct Third: MappedModel, Equatable {
      var id: Int
      var title: String
      var no: Decimal
      var at: Date
      static let mapping = Mapping(
        "Episode", Third.init, .key("id", \.id, .unique), .key("title", \.title, .indexed),
        .key("no", \.no), .key("at", \.at))
    }
    let migration = Migration("numbers") { steps in
      steps.transform("no", of: "Episode", into: "at") { _ in .double(60.5) }
      steps.transform("no", of: "Episode") { no in
        guard case .string(let text) = no else { return .null }
        return .string(text.replacing("x", with: "."))
      }
    }

    let store = try database.open(Third.self, with: .migrating(migration))

    let at = Date(timeIntervalSinceReferenceDate: 60.5)
    #expect(
      try store.fetch(ModelRequest<Third>().order(by: \.id)) == [
        Third(id: -4, title: "b", no: Decimal(string: "1.12") ?? 0, at: at),
        Third(id: 1, title: "a", no: Decimal(string: "2.3") ?? 0, at: at),
      ])
    try database.expectAsDeclared(Third.self)
  }

  @Test func eachIsRunOnceInTheirOrder() throws {
    func migration(_ name: String) -> Migration {
      Migration(name) { $0.sql("INSERT INTO runs SELECT count(*), '\(name)' FROM runs") }
    }
    try database.execute("CREATE TABLE runs (number bigint, name text)")

    let (a, b, c) = (migration("a"), migration("b"), migration("c"))
    try database.open(First.self, with: .migrating(b, a))
    try database.open(First.self, with: .migrating(b, a))
    try database.open(First.self, with: .migrating(b, a, c))

    #expect(
      try database.values("SELECT * FROM runs ORDER BY number") == [
        #"0|"b""#, #"1|"a""#, #"2|"c""#,
      ])
  }

  @Test func aNewStoreRunsNone() throws {
    let database = try MigratedStore()
    let failing = Migration("fail") { $0.sql("not SQL") }

    // The migrations are recorded, so they do not run later either.
    for _ in 1...2 {
      try database.open(Second.self, with: .migrating(Self.steps, failing))
    }
  }

  @Test func modelsAreConverted() throws {
    let migration = Migration("convert") { steps in
      steps.convert(First.self, to: Second.self) { first in
        first.id < 0
          ? nil : Second(id: first.id * 2, name: first.title + "!", season: 0, number: 9)
      }
    }

    let store = try database.open(Second.self, with: .migrating(migration))

    #expect(
      try store.fetch(ModelRequest<Second>()) == [Second(id: 2, name: "a!", season: 0, number: 9)])
    try database.expectAsDeclared(Second.self)
  }

  @Test func convertedModelsHaveTheColumnsOfTheirTypes() throws {
    struct Token: MappedModel, Equatable {
      var id: Int
      var uuid: UUID
      var size: UInt64
      static let mapping = Mapping(
        "Token", Token.init, .key("id", \.id, .unique), .key("uuid", \.uuid),
        .key("size", \.size))
    }
    let uuid = UUID()
    let migration = Migration("convert") { steps in
      steps.convert(First.self, to: Token.self) { Token(id: $0.id, uuid: uuid, size: 7) }
    }

    let store = try database.open(Token.self, with: .migrating(migration))

    #expect(try store.fetch(ModelRequest<Token>()).allSatisfy { $0.uuid == uuid && $0.size == 7 })
    try database.expectAsDeclared(Token.self)
  }

  struct Third: MappedModel, Equatable {
    var id: Int
    static let mapping = Mapping("Third", Third.init, .key("id", \.id, .unique))
  }

  @Test func modelsAreConvertedIntoThoseOfAnotherEntityBatchByBatch() throws {
    try database.open(First.self).write { writer in
      try writer.save((1...1_234).map { First(id: $0, title: "\($0)", no: "") })
    }
    let progress = Mutex<[Int]>([])
    let migration = Migration("convert") {
      $0.convert(First.self, to: Third.self) { Third(id: $0.id + 1) }
    }

    let converted = try database.open(
      Third.self,
      with: MigrationOptions(migrations: [migration]) { step in
        progress.withLock { $0.append(step.rows) }
      })

    #expect(try converted.fetchCount(ModelRequest<Third>()) == 1_235)
    #expect(try converted.fetchFirst(ModelRequest<Third>())?.id == -3)
    #expect(Array(progress.withLock { $0 }.prefix(4)) == [0, 500, 1_000, 1_235])
    try database.expectAsDeclared(Third.self)
  }

  @Test func anErrorOfTheProgressClosureUndoesTheMigration() throws {
    let migration = Migration("convert") {
      $0.convert(First.self, to: Third.self) { Third(id: $0.id) }
    }
    let before = try database.contents()

    let error = #expect(throws: (any Error).self) {
      try database.open(
        Third.self,
        with: MigrationOptions(migrations: [migration]) { if $0.rows == 2 { throw Refusal() } })
    }

    #expect("\(error.map { "\($0)" } ?? "")".contains("Refusal"))
    #expect(try database.contents() == before)
  }

  @Test func sqlIsRunInTheTransaction() throws {
    let migration = Migration("sql") { steps in
      steps.rename("title", of: "Episode", to: "name")
      steps.sql(
        #"""
        ALTER TABLE "Episode" ADD COLUMN season integer;
        UPDATE "Episode" SET season = 5;
        ALTER TABLE "Episode" ADD COLUMN number integer;
        UPDATE "Episode" SET number = length(no);
        """#)
      steps.discard("no", of: "Episode")
    }

    let store = try database.open(Second.self, with: .migrating(migration))

    #expect(
      try store.fetch(ModelRequest<Second>().order(by: \.id)) == [
        Second(id: -4, name: "b", season: 5, number: 4),
        Second(id: 1, name: "a", season: 5, number: 3),
      ])
    try database.expectAsDeclared(Second.self)
  }

  @Test(arguments: [
    "COMMIT", "UPDATE \"Episode\" SET title = 'x'; COMMIT; BEGIN", "/* a */ ROLLBACK",
    "END; -- a", "SAVEPOINT a", "BEGIN", "RELEASE a",
  ])
  func sqlDoesNotControlTheTransaction(sql: String) throws {
    let error = try expectRefused(
      Migration("control") { steps in
        steps.sql(#"DELETE FROM "Episode" WHERE id < 0"#)
        steps.sql(sql)
      })

    #expect(error?.code == .migrationFailed)
    #expect(error?.reason.contains("must not control") == true, "\(error?.reason ?? "")")
  }

  /// Expects a migration to fail and to leave the store as it was.
  func expectRefused(
    _ migration: Migration, location: SourceLocation = #_sourceLocation
  ) throws -> StoreError? {
    let before = try database.contents()
    let error = #expect(throws: StoreError.self, sourceLocation: location) {
      try database.open(Second.self, with: .migrating(migration))
    }
    #expect(try database.contents() == before, sourceLocation: location)
    return error
  }

  /// Steps that fail, with parts of the error messages.
  @Test func aStepThatFailsLeavesTheStoreAsItWas() throws {
    let cases: [(expected: String, StoreError.Code, (inout MigrationSteps) -> Void)] = [
      ("syntax error", .migrationFailed, { $0.sql("CREATE nonsense") }),
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
    ]
    for (expected, code, declare) in cases {
      let error = try expectRefused(
        Migration("failing") { steps in
          steps.sql(#"DELETE FROM "Episode" WHERE id < 0"#)
          declare(&steps)
        })

      #expect(error?.code == code, "\(expected)")
      #expect(error?.reason.contains(expected) == true, "\(error?.reason ?? "")")
      if code == .migrationFailed {
        #expect(error?.reason.hasSuffix("of \"failing\"") == true)
      }
    }
  }

  @Test func aTransformedValueOfAnotherTypeIsAnErrorThatNamesTheKey() throws {
    let error = try expectRefused(
      Migration("failing") { steps in
        steps.rename("title", of: "Episode", to: "name")
        steps.transform("no", of: "Episode", into: "season") { $0 }
        steps.transform("no", of: "Episode", into: "number") { _ in .int64(1) }
      })

    #expect(error?.entity == "Episode")
    #expect(error?.keys == ["season"])
  }
}
