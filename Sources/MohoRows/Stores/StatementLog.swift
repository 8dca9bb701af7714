public import Foundation
public import Logging

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
///
/// The duration of a statement on PostgreSQL includes the time until its result
/// has arrived. The values of its parameters are in the metadata `arguments`,
/// with the first elements of arrays.
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

  /// Logs a statement, unless it was faster than the threshold.
  ///
  /// - Parameters:
  ///   - duration: The duration in seconds.
  ///   - sql: Returns the statement.
  ///   - arguments: Returns the values of its parameters, if they are not part of
  ///     the statement and the log shows them.
  package func log(
    duration: TimeInterval, _ sql: () -> String, arguments: () -> [String] = { [] }
  ) {
    guard duration >= threshold else { return }
    var metadata: Logger.Metadata = [
      "sql": "\(sql())", "milliseconds": "\((duration * 1_000_000).rounded() / 1_000)",
    ]
    if showsArguments, case let arguments = arguments(), !arguments.isEmpty {
      metadata["arguments"] = .array(arguments.map { .string($0) })
    }
    logger.log(level: level, "statement", metadata: metadata)
  }
}
