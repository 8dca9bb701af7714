public import Foundation
import GRDB
public import Logging
import MohoRows

/// The options of a log of the statements that a store runs.
///
/// ```swift
/// var configuration = StoreConfiguration()
/// configuration.log = StatementLog(Logger(label: "episodes.store"), slowerThan: 0.1)
/// ```
///
/// A store logs statements only if its configuration has a log. Each executed
/// statement is one message, with the metadata `sql` and `milliseconds`. By
/// default, the log does not contain the values of parameters, because they may
/// be private data. Values that are part of your own SQL text are always
/// logged.
public struct StatementLog: Sendable {
  /// The logger that receives the messages.
  public var logger: Logger
  /// The level of the messages.
  public var level: Logger.Level
  /// A Boolean value indicating whether the log contains the values of
  /// parameters.
  public var showsArguments: Bool
  /// The time that a statement must exceed to be logged, in seconds.
  public var threshold: TimeInterval

  /// Creates a log.
  ///
  /// - Parameters:
  ///   - logger: The logger that receives the messages.
  ///   - level: The level of the messages.
  ///   - showsArguments: Whether the log contains the values of parameters.
  ///   - threshold: The time that a statement must exceed to be logged, in
  ///     seconds.
  public init(
    _ logger: Logger, level: Logger.Level = .debug, showsArguments: Bool = false,
    slowerThan threshold: TimeInterval = 0
  ) {
    self.logger = logger
    self.level = level
    self.showsArguments = showsArguments
    self.threshold = threshold
  }

  /// Starts logging the statements of a connection.
  func attach(to database: Database) {
    database.trace(options: .profile) { event in
      guard case .profile(let statement, let duration) = event, duration >= threshold else {
        return
      }
      // Create the message now, because the statement is valid only during the
      // call. The logger evaluates the message only if its level is enabled.
      logger.log(
        level: level, "statement",
        metadata: [
          "sql": "\(showsArguments ? statement.expandedSQL : statement.sql)",
          "milliseconds": "\((duration * 1_000_000).rounded() / 1_000)",
        ])
    }
  }
}
