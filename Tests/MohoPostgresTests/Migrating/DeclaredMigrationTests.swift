import Foundation
import MohoMapping
import MohoRows
import PostgresTesting
import Synchronization
import Testing

@testable import MohoPostgres

@Suite(.enabled(if: !PostgresServer.isSkipped))
struct DeclaredMigrationTests {
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

  private let url: String

  init() throws {
    url = try PostgresServer.shared().emptySchema()
    try ModelStore(postgres: url, models: First.self).write {
      try $0.save([First(id: 1, title: "a", no: "2x3"), First(id: -4, title: "b", no: "1x12")])
    }
  }

  private func configuration(_ migrations: Migration...) -> PostgresConfiguration {
    var configuration = PostgresConfiguration()
    configuration.migrations = migrations
    return configuration
  }

  private func expectAsDeclared(_ model: any MappedModel.Type) throws {
    let schema = try Schema([model])
    let migrator = PostgresMigrator(schema, PostgresConfiguration())
    let comparison = migrator.comparison(try migrator.stored(PostgresConnection(url)))
    #expect(comparison.differences == [])
    #expect(comparison.steps == [])
  }

  @Test func `values are renamed and transformed`() throws {
    let store = try ModelStore(
      postgres: url, models: Second.self, configuration: configuration(Self.steps))

    #expect(
      try store.fetch(ModelRequest<Second>().order(by: \.id)) == [
        Second(id: -4, name: "b", season: 1, number: 120),
        Second(id: 1, name: "a", season: 2, number: 30),
      ])
    try expectAsDeclared(Second.self)
  }

  @Test func `a plan shows the steps and changes nothing`() throws {
    let configuration = configuration(Self.steps)
    let plan = try ModelStore.migrationPlan(
      postgres: url, models: Second.self, configuration: configuration)

    #expect(
      plan.steps.prefix(4).map(\.summary) == [
        "add seasons: rename key `title` to `Episode.name`",
        "add seasons: transform the values of `Episode.no` into `season`",
        "add seasons: transform the values of `Episode.no` into `number`",
        "add seasons: transform the values of `Episode.number`",
      ])
    #expect(plan.steps.dropFirst(4).map(\.summary) == ["change the entity `Episode`"])
    #expect(plan.losses == [])
    #expect(plan.refusals == [])
    #expect(
      try ModelStore(postgres: url, models: First.self).fetchCount(ModelRequest<First>()) == 2)
    try expectAsDeclared(First.self)
  }

  @Test func `a plan of an inferred migration reports the values that would be deleted`() throws {
    let plan = try ModelStore.migrationPlan(postgres: url, models: Second.self)

    #expect(
      plan.losses.map(\.description) == [
        "`Episode.title` has 2 values", "`Episode.no` has 2 values",
      ])
    #expect(plan.refusals.map(\.key) == ["name", "season", "number"])
    let unchanged = try ModelStore.migrationPlan(postgres: url, models: First.self)
    #expect(unchanged.isEmpty)
    #expect("\(unchanged)" == "nothing to do")
  }

  @Test func `models are converted`() throws {
    let migration = Migration("convert") { steps in
      steps.convert(First.self, to: Second.self) { first in
        first.id < 0
          ? nil : Second(id: first.id * 2, name: first.title + "!", season: 0, number: 9)
      }
    }

    let store = try ModelStore(
      postgres: url, models: Second.self, configuration: configuration(migration))

    #expect(
      try store.fetch(ModelRequest<Second>()) == [Second(id: 2, name: "a!", season: 0, number: 9)])
    try expectAsDeclared(Second.self)
  }

  @Test func `each migration runs once, and SQL runs in the transaction`() throws {
    let sql = Migration("sql") { $0.sql(#"UPDATE "Episode" SET title = title || '!'"#) }

    for _ in 1...2 {
      _ = try ModelStore(postgres: url, models: First.self, configuration: configuration(sql))
    }

    let store = try ModelStore(postgres: url, models: First.self)
    #expect(try store.fetch(ModelRequest<First>()).map(\.title).sorted() == ["a!", "b!"])
  }

  @Test func `a new store runs no migration`() throws {
    let url = try PostgresServer.shared().emptySchema()
    let failing = Migration("fail") { $0.sql("not SQL") }

    for _ in 1...2 {
      _ = try ModelStore(postgres: url, models: Second.self, configuration: configuration(failing))
    }
  }

  private struct Refusal: Error {}

  @Test func `a failed step leaves the store as it was`() throws {
    let cases: [(String, (inout MigrationSteps) -> Void)] = [
      ("syntax error", { $0.sql("CREATE nonsense") }),
      ("Refusal", { $0.transform("no", of: "Episode") { _ in throw Refusal() } }),
      ("the store has no entity `Show`", { $0.transform("no", of: "Show") { $0 } }),
      ("is the identity of the rows", { $0.transform("id", of: "Episode") { $0 } }),
      ("the store has no `x`", { $0.rename("x", of: "Episode", to: "y") }),
    ]
    for (expected, declare) in cases {
      let migration = Migration("failing") { steps in
        steps.rename("title", of: "Episode", to: "name")
        declare(&steps)
      }

      let error = #expect(throws: StoreError.self) {
        try ModelStore(
          postgres: url, models: Second.self, configuration: configuration(migration))
      }

      #expect(error?.code == .migrationFailed, "\(expected)")
      #expect(error?.reason.contains(expected) == true, "\(error?.reason ?? "")")
      #expect(error?.reason.hasSuffix("of \"failing\"") == true)
      try expectAsDeclared(First.self)
    }
  }

  @Test func `values of another type replace a column`() throws {
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

    let store = try ModelStore(
      postgres: url, models: Third.self, configuration: configuration(migration))

    let at = Date(timeIntervalSinceReferenceDate: 60.5)
    #expect(
      try store.fetch(ModelRequest<Third>().order(by: \.id)) == [
        Third(id: -4, title: "b", no: Decimal(string: "1.12") ?? 0, at: at),
        Third(id: 1, title: "a", no: Decimal(string: "2.3") ?? 0, at: at),
      ])
    try expectAsDeclared(Third.self)
  }
}
