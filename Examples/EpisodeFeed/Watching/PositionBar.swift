import TerminalScreen

/// The bar at the edge of a list that shows which part of the list is visible.
struct PositionBar: Hashable {
  /// The number of lines of the bar.
  let height: Int
  /// The lines that stand for the visible part.
  let filled: Range<Int>

  /// Creates a bar; nil if all rows are visible, or for a single line.
  ///
  /// The filled part touches the upper end only if the first row is visible,
  /// and the lower end only if the last row is visible, unless the bar is too
  /// short for that.
  ///
  /// - Parameters:
  ///   - height: The number of lines.
  ///   - visible: The positions of the visible rows.
  ///   - count: The number of all rows.
  init?(height: Int, visible: Range<Int>, count: Int) {
    guard height > 1, !visible.isEmpty, visible != 0..<count else { return nil }
    let length = max(1, min(height - 1, height * height / max(1, count)))
    let room = height - length
    let start: Int
    if visible.lowerBound == 0 {
      start = 0
    } else if visible.upperBound >= count {
      start = room
    } else {
      let share = visible.lowerBound * room / max(1, count - visible.count)
      start = room < 2 ? min(share, room) : max(1, min(share, room - 1))
    }
    self.height = height
    filled = start..<start + length
  }

  /// The sign of a line.
  func piece(_ line: Int) -> StyledLine {
    filled.contains(line) ? StyledLine("█") : StyledLine("│", Style(isDim: true))
  }
}
