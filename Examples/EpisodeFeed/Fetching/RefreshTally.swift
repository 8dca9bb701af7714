/// The numbers and the failures of a refresh of feeds.
struct RefreshTally: Hashable, Sendable {
  /// What the imports have changed.
  private(set) var report = ImportReport()
  /// The number of feeds that were fetched or have failed.
  private(set) var count = 0
  /// The podcasts that failed, and the reasons.
  private(set) var failures: [String] = []

  /// Adds the result of a feed.
  mutating func add(_ result: FeedRefresher.Result) {
    count += 1
    switch result.outcome {
    case .unchanged: break
    case .imported(let report, _): self.report.add(report)
    case .failed(let error):
      failures.append("\(result.subscription.podcast): \(FeedRefresher.text(of: error))")
    }
  }

  /// The tally in sentences.
  ///
  /// - Parameter total: The number of feeds if the refresh was canceled.
  func sentences(canceledOf total: Int? = nil) -> String {
    var sentences = [report.sentence]
    if let total { sentences.append("Canceled after \(count) of \(total) feeds.") }
    if !failures.isEmpty {
      sentences.append("\(failures.count) feed\(failures.count == 1 ? "" : "s") failed.")
    }
    return sentences.joined(separator: " ")
  }
}
