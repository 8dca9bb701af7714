import Synchronization

/// The results of refreshing feeds, for the message to the user.
final class RefreshResults: Sendable {
  private struct State {
    var report = ImportReport()
    var count = 0
    var failures: [String] = []
  }

  private let state = Mutex(State())

  /// Adds the result of a feed.
  ///
  /// - Returns: The number of results.
  func add(_ result: FeedRefresher.Result) -> Int {
    state.withLock { state in
      state.count += 1
      switch result.outcome {
      case .unchanged: break
      case .imported(let report, _): state.report.add(report)
      case .failed(let error):
        state.failures.append("\(result.subscription.podcast): \(PageError(error).message)")
      }
      return state.count
    }
  }

  /// The message about the results.
  ///
  /// - Parameter total: The number of feeds if the refresh was canceled.
  func message(canceledOf total: Int? = nil) -> CommandMessage {
    state.withLock { state in
      var sentence = state.report.sentence
      if let total { sentence += " Canceled after \(state.count) of \(total) feeds." }
      if !state.failures.isEmpty {
        sentence +=
          state.failures.count == 1 ? " 1 feed failed." : " \(state.failures.count) feeds failed."
      }
      return CommandMessage(
        message: sentence,
        details: state.failures.isEmpty ? nil : state.failures.sorted().map(PageError.excerpt))
    }
  }
}
