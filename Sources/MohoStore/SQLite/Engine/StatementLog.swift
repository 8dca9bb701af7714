public import Foundation
import GRDB
public import Logging

/// What a store writes to a log of the statements that it runs.
///
/// ```swift
/// var configuration = StoreConfiguration()
/// configuration.log = StatementLog(Logger(label: "episodes.store"), slowerThan: 0.1)
/// ```
///
/// Nothing is logged unless a configuration has a log. Each statement that has
/// run is one message, with the metadata `sql` and `milliseconds`. The values
/// that are bound to statements are never part of it, unless they are asked
/// for: they may be anybody's secrets. SQL of one's own that spells values is
/// logged as it stands.
public struct StatementLog: Sendable {
  /// Takes the messages.
  public var logger: Logger
  /// The level of the messages.
  public var level: Logger.Level
  /// Whether bound values are shown in their places.
  public var showsArguments: Bool
  /// Statements that take no longer are left out, in seconds.
  public var threshold: TimeInterval

  /// Makes a log.
  ///
  /// - Parameters:
  ///   - logger: Takes the messages.
  ///   - level: The level of the messages.
  ///   - showsArguments: Whether bound values are shown in their places.
  ///   - threshold: Statements that take no longer are left out, in seconds;
  ///     none by default.
  public init(
    _ logger: Logger, level: Logger.Level = .debug, showsArguments: Bool = false,
    slowerThan threshold: TimeInterval = 0
  ) {
    self.logger = logger
    self.level = level
    self.showsArguments = showsArguments
    self.threshold = threshold
  }

  /// Logs the statements of a connection from now on.
  func attach(to database: Database) {
    database.trace(options: .profile) { event in
      guard case .profile(let statement, let duration) = event, duration >= threshold else {
        return
      }
      // Formatted here, as the statement is lent for the call only; the logger
      // asks for it where it takes the level.
      logger.log(
        level: level, "statement",
        metadata: [
          "sql": "\(showsArguments ? statement.expandedSQL : statement.sql)",
          "milliseconds": "\((duration * 1_000_000).rounded() / 1_000)",
        ])
    }
  }
}
