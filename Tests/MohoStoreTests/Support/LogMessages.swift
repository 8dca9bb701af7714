import Logging
import Synchronization

/// An in-memory log.
final class LogMessages: LogHandler, Sendable {
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
