import Moho

/// The lines in which a part of a list is shown: rows, headings where sections
/// begin and at the top, and what stands between rows.
///
/// It asks the list for as many rows as it shows, however many there are.
struct ListWindow {
  /// What a line shows.
  enum Line: Hashable {
    /// The heading of a section.
    case heading(section: Int)
    /// A row, by its position in the list.
    case row(position: Int)
    /// A row that is gone, by its number among those that are shown.
    case ghost(Int)
  }

  /// The rows that are gone and still shown beside a row.
  struct Ghosts {
    var before: [Int: [Int]] = [:]
    var after: [Int: [Int]] = [:]
  }

  let index: OrderedIndex
  /// Whether there are headings.
  let isHeaded: Bool
  var ghosts = Ghosts()

  /// The lines from a row on, as many as there is room for.
  func lines(from top: Int, count: Int) -> [Line] {
    var lines: [Line] = []
    var section: Int?
    var position = top
    while lines.count < count, let path = index.path(atPosition: position) {
      if isHeaded, path.section != section {
        lines.append(.heading(section: path.section))
      }
      section = path.section
      lines += ghosts.before[position, default: []].map { .ghost($0) }
      lines.append(.row(position: position))
      lines += ghosts.after[position, default: []].map { .ghost($0) }
      position += 1
    }
    return Array(lines.prefix(max(0, count)))
  }

  /// The row to begin with so that another one stands on a line, or as near
  /// above it as can be.
  func top(showing position: Int, atLine line: Int) -> Int {
    var top = position
    var height = (isHeaded ? 1 : 0) + ghosts.before[position, default: []].count
    while top > 0 {
      let previous = top - 1
      height += 1 + ghosts.before[previous, default: []].count
      height += ghosts.after[previous, default: []].count
      if isHeaded,
        index.path(atPosition: previous)?.section != index.path(atPosition: top)?.section
      {
        height += 1
      }
      if height > line { break }
      top = previous
    }
    return top
  }

  /// The line of a row where another one is the first, if it is among a number
  /// of lines.
  func line(of position: Int, from top: Int, count: Int) -> Int? {
    guard position >= top, position - top < count else { return nil }
    return lines(from: top, count: count).firstIndex(of: .row(position: position))
  }

  /// The row to begin with so that a row is shown, moving as little as possible,
  /// and that no line is left empty that a row could fill.
  func top(near top: Int, showing position: Int, count: Int) -> Int {
    let last = index.count - 1
    guard last >= 0, count > 0 else { return 0 }
    let lowest = self.top(
      showing: last, atLine: count - 1 - ghosts.after[last, default: []].count)
    let top = max(0, min(top, lowest))
    if position < top { return position }
    return line(of: position, from: top, count: count) == nil
      ? self.top(showing: position, atLine: count - 1) : top
  }
}
