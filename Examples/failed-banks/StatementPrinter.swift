import CommandSupport
import Logging
import Moho
import Synchronization

/// Prints the SQL statements of a store to standard error, once it has begun.
final class StatementPrinter: LogHandler, Sendable {
  private let isOn = Mutex(false)

  /// The log for the configuration of a store.
  var log: StatementLog {
    StatementLog(Logger(label: "failed-banks") { _ in self }, showsArguments: true)
  }

  func begin() { isOn.withLock { $0 = true } }

  func log(event: LogEvent) {
    guard isOn.withLock({ $0 }), let sql = event.metadata?["sql"] else { return }
    Output.note("\(sql)")
  }

  // All levels are logged. Metadata is not supported.
  var logLevel: Logger.Level {
    get { .trace }
    set {}
  }
  var metadata: Logger.Metadata {
    get { [:] }
    set {}
  }
  subscript(metadataKey key: String) -> Logger.Metadata.Value? {
    get { nil }
    set {}
  }
}
