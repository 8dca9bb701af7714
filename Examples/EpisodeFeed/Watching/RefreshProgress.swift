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
  /// The number of feeds that were fetched or have failed.
  var doneCount = 0
  var insertedCount = 0
  var updatedCount = 0
  var deletedCount = 0
  /// The podcasts that failed, and the reasons.
  var failures: [String] = []
  var isCanceled = false

  mutating func add(_ result: FeedRefresher.Result) {
    doneCount += 1
    switch result.outcome {
    case .unchanged: break
    case .imported(let report, _):
      insertedCount += report.inserted
      updatedCount += report.updated
      deletedCount += report.deleted
    case .failed(let error):
      failures.append(
        "\(result.subscription.podcast): \(FeedRefresher.text(of: error))")
    }
  }

  /// The status while the refresh is running.
  var status: String {
    guard let count else { return "refreshing…" }
    let failed = failures.isEmpty ? "" : ", \(failures.count) failed"
    let end = isCanceled ? "canceling…" : "Esc cancels"
    return "refreshing \(doneCount) of \(count) feed\(count == 1 ? "" : "s")\(failed)   \(end)"
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
    let changes = [(insertedCount, "new"), (updatedCount, "changed"), (deletedCount, "deleted")]
      .filter { $0.0 > 0 }.map { "\($0.0) \($0.1)" }.joined(separator: ", ")
    let feeds = "\(count) feed\(count == 1 ? "" : "s")"
    let verb =
      isCanceled ? "canceled after \(doneCount) of \(feeds)" : "refreshed \(feeds)"
    let failed = failures.isEmpty ? "" : ", \(failures.count) failed"
    let first = "\(verb): \(changes.isEmpty ? "nothing has changed" : changes)\(failed)"
    let rest = failures.count - Self.limit
    return [first] + failures.prefix(Self.limit).map { "  \($0)" }
      + (rest > 0 ? ["  … and \(rest) more: `episode-feed feeds` lists them"] : [])
  }
}
