import Foundation

/// A progress bar on standard error, if that is a terminal.
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
    // A line that wraps could not be removed.
    let line = Self.line(done, of: total, items).prefix((Terminal.size?.width ?? 80) - 1)
    Output.controlError("\r\(line)\u{1B}[K")
  }

  /// Removes the bar.
  public func end() {
    if isShown { Output.controlError("\r\u{1B}[K") }
    isShown = false
  }

  /// The bar with its numbers: `[######------------------]  25 %  250 of 1000 rows`.
  public static func line(_ done: Int, of total: Int, _ items: String) -> String {
    let width = 24
    let fraction = total > 0 ? min(max(0, Double(done) / Double(total)), 1) : 1
    let filled = Int(fraction * Double(width))
    let bar = String(repeating: "#", count: filled) + String(repeating: "-", count: width - filled)
    let percent = String(Int(fraction * 100))
    let padding = String(repeating: " ", count: 3 - percent.count)
    return "[\(bar)] \(padding)\(percent) %  \(done) of \(total) \(items)"
  }
}
