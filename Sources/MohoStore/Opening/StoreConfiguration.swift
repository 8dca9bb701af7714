public import Foundation

/// How a store is opened.
public struct StoreConfiguration: Sendable {
  /// How long a call waits for a lock that another process holds, in seconds.
  public var busyTimeout: TimeInterval

  /// How often a store in a file looks for commits of other processes while
  /// something observes it, in seconds; at most a thousand times a second, and
  /// never where it is infinite. A look costs a few microseconds.
  public var externalChangesInterval: TimeInterval

  /// The log of the statements that the store runs, on all of its connections;
  /// none unless set.
  public var log: StatementLog?

  /// Whether SQLite's pre-update hook is used where there is one.
  package var usesPreupdateHook = true

  /// Makes a configuration.
  public init(busyTimeout: TimeInterval = 5, externalChangesInterval: TimeInterval = 0.1) {
    self.busyTimeout = busyTimeout
    self.externalChangesInterval = externalChangesInterval
  }
}
