import Fixtures
import Logging
import MohoRows
import Synchronization
import Testing

@Suite struct StatementLogTests {
  @Test func everyStatementIsLoggedWithItsTimeAndWithoutItsValues() throws {
    let messages = try messages(StatementLog(Messages().logger))

    let insert = try #require(messages.first { $0.sql.contains("INSERT INTO \"Episode\"") })
    #expect(insert.level == .debug)
    #expect(Double(insert.milliseconds) != nil)
    #expect(messages.contains { $0.sql.hasPrefix("SELECT") && $0.sql.contains("FROM \"Episode\"") })
    #expect(!messages.contains { $0.sql.contains("secret") || $0.arguments.contains("secret") })
  }

  @Test func valuesAreLoggedWhereTheyAreAskedFor() throws {
    let log = StatementLog(Messages().logger, level: .info, showsArguments: true)
    let messages = try messages(log)

    #expect(messages.contains { ($0.sql + $0.arguments).contains("secret") && $0.level == .info })
  }

  @Test func fastStatementsAreLeftOutBelowAThreshold() throws {
    #expect(try messages(StatementLog(Messages().logger, slowerThan: 3_600)).isEmpty)
  }

  private func messages(_ log: StatementLog) throws -> [Messages.Message] {
    let messages = Messages()
    var log = log
    log.logger = messages.logger
    let store = try emptyStore(Schema([Episode.self]), log: log)
    try store.write { try $0.save(Episode.number(1, title: "secret")) }
    _ = try store.fetch(ModelRequest<Episode>())
    return messages.all.withLock { $0 }
  }
}

/// An in-memory log.
private final class Messages: LogHandler, Sendable {
  struct Message: Sendable {
    let level: Logger.Level
    let sql: String
    let arguments: String
    let milliseconds: String
  }

  let all = Mutex<[Message]>([])

  var logger: Logger { Logger(label: "test", factory: { _ in self }) }

  func log(event: LogEvent) {
    let message = Message(
      level: event.level, sql: "\(event.metadata?["sql"] ?? "")",
      arguments: "\(event.metadata?["arguments"] ?? "")",
      milliseconds: "\(event.metadata?["milliseconds"] ?? "")")
    all.withLock { $0.append(message) }
  }

  subscript(metadataKey key: String) -> Logger.Metadata.Value? {
    get { nil }
    set {}
  }
  var metadata: Logger.Metadata {
    get { [:] }
    set {}
  }
  var logLevel: Logger.Level {
    get { .trace }
    set {}
  }
}
