public import Foundation

/// Whether a store records its history.
///
/// The history is a property of the file: once it is enabled, all connections
/// and programs that write to the file are recorded, until it is disabled.
public enum HistoryPolicy: Sendable, Hashable {
  /// Continues to record the history of a file that has one. A new file has no
  /// history.
  case unchanged

  /// Records the history from now on.
  ///
  /// - Parameter maximumAge: The age in seconds at which transactions are
  ///   deleted, or nil to retain them until `StoreWriter.deleteHistory(before:)`
  ///   is called. Writes delete old transactions, a limited number at a time.
  case enabled(maximumAge: TimeInterval? = nil)

  /// Deletes the history and records no further changes.
  case disabled

  /// The age in seconds at which transactions are deleted.
  package var maximumAge: TimeInterval? {
    if case .enabled(let maximumAge) = self { maximumAge } else { nil }
  }

  /// The number of seconds after which a store that writes deletes old transactions again.
  package static func deletionInterval(maximumAge: TimeInterval) -> TimeInterval {
    min(maximumAge / 20, 3_600)
  }
}
