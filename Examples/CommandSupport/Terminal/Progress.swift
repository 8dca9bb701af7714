import Foundation

/// The state of long work on standard error, if that is a terminal.
public final class Progress {
  private let total: Int
  private let items: String
  private let start = ContinuousClock.now
  private var isShown = false

  /// - Parameter items: What is counted, in the plural.
  public init(of total: Int, _ items: String) {
    self.total = total
    self.items = items
  }

  /// Shows how many are done, once the work has taken half a second.
  public func show(_ done: Int) {
    guard Terminal.isError, ContinuousClock.now - start > .milliseconds(500) else { return }
    isShown = true
    Output.controlError("\r\(done) of \(total) \(items)\u{1B}[K")
  }

  /// Takes the line away.
  public func end() {
    if isShown { Output.controlError("\r\u{1B}[K") }
    isShown = false
  }
}
