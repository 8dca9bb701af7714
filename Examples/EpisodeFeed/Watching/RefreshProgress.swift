/// A step of the refresh of feeds.
public enum RefreshStep: Sendable {
  /// The feeds to fetch are known.
  case began(count: Int)
  /// A feed was fetched and imported, or failed.
  case finished(FeedRefresher.Result)
  /// All feeds have been fetched, or the refresh was canceled, or the store
  /// failed.
  case ended((any Error)?)
}

/// The refresh of feeds that is running.
struct RefreshProgress: Hashable {
  /// The podcast whose feeds are refreshed; nil for all feeds.
  var podcast: String?
  /// The number of feeds; nil until it is known.
  var count: Int?
  /// The results so far.
  var tally = RefreshTally()
  var isCanceled = false

  /// The status while the refresh is running.
  var status: String {
    guard let count else { return "refreshing…" }
    let end = isCanceled ? "canceling…" : "Esc cancels"
    return "refreshing \(tally.count) of \(count) feed\(count == 1 ? "" : "s")\(failed)   \(end)"
  }

  private var failed: String {
    tally.failures.isEmpty ? "" : ", \(tally.failures.count) failed"
  }

  /// The maximum number of failures that are listed.
  private static let limit = 3

  /// The lines about the end of the refresh.
  var summary: [String] {
    let count = count ?? 0
    if count == 0, !isCanceled {
      return [
        podcast == nil
          ? "no remembered feeds: import one with `episode-feed import URL`"
          : "no remembered feed has this podcast"
      ]
    }
    let report = tally.report
    let changes = [
      (report.inserted, "new"), (report.updated, "changed"), (report.deleted, "deleted"),
    ].filter { $0.0 > 0 }.map { "\($0.0) \($0.1)" }.joined(separator: ", ")
    let feeds = "\(count) feed\(count == 1 ? "" : "s")"
    let verb =
      isCanceled ? "canceled after \(tally.count) of \(feeds)" : "refreshed \(feeds)"
    let first = "\(verb): \(changes.isEmpty ? "nothing has changed" : changes)\(failed)"
    let rest = tally.failures.count - Self.limit
    return [first] + tally.failures.prefix(Self.limit).map { "  \($0)" }
      + (rest > 0 ? ["  … and \(rest) more: `episode-feed feeds` lists them"] : [])
  }
}
