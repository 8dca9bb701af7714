import Fixtures
import Logging
import MohoRows
import StoreTesting
import Synchronization
import Testing

@Suite(.allEngines) struct StatementLogTests {
  @Test func everyStatementIsLoggedWithItsTimeAndWithoutItsValues() throws {
    let messages = try messages(StatementLog(LogMessages().logger))

    let insert = try #require(messages.first { $0.sql.contains("INSERT INTO \"Episode\"") })
    #expect(insert.level == .debug)
    #expect(Double(insert.milliseconds) != nil)
    #expect(messages.contains { $0.sql.hasPrefix("SELECT") && $0.sql.contains("FROM \"Episode\"") })
    #expect(!messages.contains { $0.sql.contains("secret") || $0.arguments.contains("secret") })
  }

  @Test func valuesAreLoggedWhereTheyAreAskedFor() throws {
    let log = StatementLog(LogMessages().logger, level: .info, showsArguments: true)
    let messages = try messages(log)

    #expect(messages.contains { ($0.sql + $0.arguments).contains("secret") && $0.level == .info })
  }

  @Test(.engine(.postgres)) func ofAListTheFirstTenValuesAreLogged() throws {
    let messages = LogMessages()
    let log = StatementLog(messages.logger, showsArguments: true)
    let store = try emptyStore(Schema([Episode.self]), log: log)
    let lists = [[40, 50, 60], Array(1...10), Array(1...11)]

    for list in lists {
      _ = try store.fetchCount(ModelRequest<Episode>().filter { $0.id.isOne(of: list) })
    }

    let arguments = messages.all.withLock { $0 }.map(\.arguments)
    for expected in [
      "{40, 50, 60}", "{1, 2, 3, 4, 5, 6, 7, 8, 9, 10}",
      "{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, … (11)}",
    ] {
      #expect(arguments.contains { $0.contains(expected) }, "\(arguments)")
    }
  }

  @Test func fastStatementsAreLeftOutBelowAThreshold() throws {
    #expect(try messages(StatementLog(LogMessages().logger, slowerThan: 3_600)).isEmpty)
  }

  private func messages(_ log: StatementLog) throws -> [LogMessages.Message] {
    let messages = LogMessages()
    var log = log
    log.logger = messages.logger
    let store = try emptyStore(Schema([Episode.self]), log: log)
    try store.write { try $0.save(Episode.number(1, title: "secret")) }
    _ = try store.fetch(ModelRequest<Episode>())
    return messages.all.withLock { $0 }
  }
}
