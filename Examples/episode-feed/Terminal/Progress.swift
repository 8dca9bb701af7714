import Foundation

/// The state of a long import on standard error, if that is a terminal.
final class Progress {
  private let total: Int
  private let start = ContinuousClock.now
  private var isShown = false

  init(of total: Int) { self.total = total }

  /// Shows how many are done, once the work has taken half a second.
  func show(_ done: Int) {
    guard Terminal.isError, ContinuousClock.now - start > .milliseconds(500) else { return }
    isShown = true
    Output.noteRaw("\r\(done) of \(total) episodes\u{1B}[K")
  }

  /// Takes the line away.
  func end() {
    if isShown { Output.noteRaw("\r\u{1B}[K") }
    isShown = false
  }
}
