/// The transactions that a snapshot sees.
struct PostgresSnapshot: Equatable, Sendable {
  /// All transactions before this one have ended.
  let xmin: UInt64
  /// This transaction and all later ones had not begun.
  let xmax: UInt64
  /// The transactions between the two that were in progress.
  let inProgress: [UInt64]

  /// - Parameter text: The text of a `pg_snapshot`, such as `10:20:10,14`.
  init?(_ text: String) {
    let parts = text.split(separator: ":", omittingEmptySubsequences: false)
    guard parts.count == 3, let xmin = UInt64(parts[0]), let xmax = UInt64(parts[1]) else {
      return nil
    }
    self.xmin = xmin
    self.xmax = xmax
    inProgress = parts[2].split(separator: ",").compactMap { UInt64($0) }
  }

  /// Whether the snapshot sees a transaction that was committed.
  func sees(_ transaction: UInt64) -> Bool {
    transaction < xmin || transaction < xmax && !inProgress.contains(transaction)
  }
}
