import Moho

/// The visible part of a list as lines: rows, headings at the top and before
/// each section, and deleted rows that are still displayed.
///
/// The cost depends on the number of lines, not on the number of rows.
struct ListWindow {
  /// The content of a line.
  enum Line: Hashable {
    /// The heading of a section.
    case heading(section: Int)
    /// A row, by its position in the list.
    case row(position: Int)
    /// A deleted row, by its number in ``RecentChanges/deletedRows``.
    case deleted(Int)
  }

  /// The numbers of deleted rows, by the positions of the rows before or after
  /// which they are displayed.
  struct DeletedRows {
    var before: [Int: [Int]] = [:]
    var after: [Int: [Int]] = [:]
  }

  let index: OrderedIndex
  /// Whether sections have headings.
  let hasHeadings: Bool
  var deletedRows = DeletedRows()

  /// The lines that begin with a row, up to a number of lines.
  func lines(from top: Int, count: Int) -> [Line] {
    var lines: [Line] = []
    var section: Int?
    var position = top
    while lines.count < count, let path = index.path(atPosition: position) {
      if hasHeadings, path.section != section {
        lines.append(.heading(section: path.section))
      }
      section = path.section
      lines += deletedRows.before[position, default: []].map { .deleted($0) }
      lines.append(.row(position: position))
      lines += deletedRows.after[position, default: []].map { .deleted($0) }
      position += 1
    }
    return Array(lines.prefix(max(0, count)))
  }

  /// The first row of a window that shows a given row at a line, or as close
  /// above that line as possible.
  func top(showing position: Int, atLine line: Int) -> Int {
    var top = position
    var height = (hasHeadings ? 1 : 0) + deletedRows.before[position, default: []].count
    while top > 0 {
      let previous = top - 1
      height += 1 + deletedRows.before[previous, default: []].count
      height += deletedRows.after[previous, default: []].count
      if hasHeadings,
        index.path(atPosition: previous)?.section != index.path(atPosition: top)?.section
      {
        height += 1
      }
      if height > line { break }
      top = previous
    }
    return top
  }

  /// The line of a row in a window that begins with the row `top`; nil if the
  /// window does not show it.
  func line(of position: Int, from top: Int, count: Int) -> Int? {
    guard position >= top, position - top < count else { return nil }
    return lines(from: top, count: count).firstIndex(of: .row(position: position))
  }

  /// The first row of a window that shows a given row, scrolls as little as
  /// possible, and leaves no line empty that a row could fill.
  func top(near top: Int, showing position: Int, count: Int) -> Int {
    let last = index.count - 1
    guard last >= 0, count > 0 else { return 0 }
    let lowest = self.top(
      showing: last, atLine: count - 1 - deletedRows.after[last, default: []].count)
    let top = max(0, min(top, lowest))
    if position < top { return position }
    return line(of: position, from: top, count: count) == nil
      ? self.top(showing: position, atLine: count - 1) : top
  }
}
