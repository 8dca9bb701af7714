import Moho

/// Which way rows have moved, among those that have kept their places: a row has
/// not moved down because others came above it.
struct MoveDirections {
  private let old: OrderedIndex
  private let new: OrderedIndex
  /// The positions of rows that left their places, ascending, in old space.
  private let left: [Int]
  /// The positions of rows that took a place, ascending, in new space.
  private let taken: [Int]

  /// - Complexity: O(*k* log *n*) for *k* records of a list of *n* rows.
  init(_ changes: [RowChange], from old: OrderedIndex, to new: OrderedIndex) {
    (self.old, self.new) = (old, new)
    let moved = changes.filter { $0.kind != .update }
    left = moved.compactMap(\.old).compactMap { old.position(of: $0) }.sorted()
    taken = moved.compactMap(\.new).compactMap { new.position(of: $0) }.sorted()
  }

  /// Whether a row that has moved stands nearer to the top.
  func isUp(_ change: RowChange) -> Bool {
    guard let oldPath = change.old, let newPath = change.new,
      let oldPosition = old.position(of: oldPath), let newPosition = new.position(of: newPath)
    else { return false }
    let before = oldPosition - Self.count(of: left, below: oldPosition)
    let after = newPosition - Self.count(of: taken, below: newPosition)
    if after != before { return after < before }
    // It has only passed others that moved, or the border of a section.
    return (newPath.section, newPosition) < (oldPath.section, oldPosition)
  }

  private static func count(of positions: [Int], below position: Int) -> Int {
    var range = 0..<positions.count
    while !range.isEmpty {
      let middle = range.lowerBound + range.count / 2
      range =
        positions[middle] < position ? middle + 1..<range.upperBound : range.lowerBound..<middle
    }
    return range.lowerBound
  }
}
