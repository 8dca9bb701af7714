import Moho

extension WatchState {
  /// Starts to refresh the feeds of a podcast, or all feeds; cancels the refresh
  /// that is running.
  mutating func toggleRefresh(of podcast: String?) -> [WatchAction] {
    guard refresh == nil else { return cancelRefresh() }
    refresh = RefreshProgress(podcast: podcast)
    message = nil
    return [.refresh(podcast: podcast)]
  }

  mutating func cancelRefresh() -> [WatchAction] {
    guard refresh?.isCanceled == false else { return [] }
    refresh?.isCanceled = true
    return [.cancelRefresh]
  }

  /// Handles a step of the refresh.
  mutating func apply(_ step: RefreshStep) {
    switch step {
    case .began(let count): refresh?.count = count
    case .finished(let result): refresh?.tally.add(result)
    case .ended(let error):
      guard let refresh else { return }
      self.refresh = nil
      if let error, !(error is CancellationError) { return showError(Self.reasons(error)) }
      let lines = refresh.summary
      if refresh.tally.failures.isEmpty { showMessage(lines[0]) } else { showError(lines) }
    }
  }
}
