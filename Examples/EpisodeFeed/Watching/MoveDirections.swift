import Moho

/// Whether rows have moved up or down, relative to the rows that did not move:
/// a row does not move down when rows are inserted above it.
struct MoveDirections {
  private let old: OrderedIndex
  private let new: OrderedIndex
  /// The old positions of moved and deleted rows, ascending.
  private let removedPositions: [Int]
  /// The new positions of moved and inserted rows, ascending.
  private let insertedPositions: [Int]

  /// - Complexity: O(*k* log *n*) for *k* records of a list of *n* rows.
  init(_ changes: [RowChange], from old: OrderedIndex, to new: OrderedIndex) {
    (self.old, self.new) = (old, new)
    let moved = changes.filter { $0.kind != .update }
    removedPositions = moved.compactMap(\.old).compactMap { old.position(of: $0) }.sorted()
    insertedPositions = moved.compactMap(\.new).compactMap { new.position(of: $0) }.sorted()
  }

  /// Whether a moved row is closer to the top now.
  func isUp(_ change: RowChange) -> Bool {
    guard let oldPath = change.old, let newPath = change.new,
      let oldPosition = old.position(of: oldPath), let newPosition = new.position(of: newPath)
    else { return false }
    let before = oldPosition - Self.count(of: removedPositions, below: oldPosition)
    let after = newPosition - Self.count(of: insertedPositions, below: newPosition)
    if after != before { return after < before }
    // The row has passed only moved rows, or the boundary of a section.
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
