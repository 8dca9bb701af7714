import Foundation

/// A progress line on standard error, if that is a terminal.
public final class Progress {
  private let total: Int
  private let items: String
  private let start = ContinuousClock.now
  private var isShown = false

  /// - Parameter items: The plural of the counted items, such as `episodes`.
  public init(of total: Int, _ items: String) {
    self.total = total
    self.items = items
  }

  /// Shows how many items are done, after the first half second.
  public func show(_ done: Int) {
    guard Terminal.isError, ContinuousClock.now - start > .milliseconds(500) else { return }
    isShown = true
    Output.controlError("\r\(done) of \(total) \(items)\u{1B}[K")
  }

  /// Removes the line.
  public func end() {
    if isShown { Output.controlError("\r\u{1B}[K") }
    isShown = false
  }
}
