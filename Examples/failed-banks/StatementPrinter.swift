import CommandSupport
import Logging
import Moho
import Synchronization

/// Shows the statements of a store on standard error, from the time on that it
/// is told to.
final class StatementPrinter: LogHandler, Sendable {
  private let isOn = Mutex(false)

  /// The log that a store is configured with.
  var log: StatementLog {
    StatementLog(Logger(label: "failed-banks") { _ in self }, showsArguments: true)
  }

  func begin() { isOn.withLock { $0 = true } }

  func log(event: LogEvent) {
    guard isOn.withLock({ $0 }), let sql = event.metadata?["sql"] else { return }
    Output.note("\(sql)")
  }

  // All messages are taken, and nothing is added to them.
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
