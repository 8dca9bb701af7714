import MohoChanges
import MohoRows

/// The rows of the store merged with unsaved rows.
struct MergedRows: Sendable {
  /// A visible unsaved row.
  struct Entry: Sendable {
    let row: ContextRow
    let number: Int64
    let section: SectionKey
    /// The ID of the last preceding row whose content comes from the store.
    var anchor: Int64?
  }

  /// A position in the merged list. It consists of the position of a stored row
  /// and the position among the entries that are anchored to that row.
  struct Position: Comparable {
    let stored: Int
    let entry: Int

    static func < (one: Self, other: Self) -> Bool {
      (one.stored, one.entry) < (other.stored, other.entry)
    }
  }

  /// The rows of the store.
  let stored: OrderedIndex
  /// The IDs of the rows whose content comes from the context, or that are
  /// deleted in the context.
  let hidden: Set<Int64>
  /// The visible unsaved rows, in order.
  let entries: [Entry]
  private let positions: [Int64: Int]
  private let anchored: [Int64?: Range<Int>]

  /// - Parameter entries: The visible unsaved rows, in order.
  init(_ stored: OrderedIndex, hidden: Set<Int64> = [], entries: [Entry] = []) {
    self.stored = stored
    self.hidden = hidden
    self.entries = entries
    var positions: [Int64: Int] = [:]
    var anchored: [Int64?: Range<Int>] = [:]
    for (position, entry) in entries.enumerated() {
      positions[entry.number] = position
      anchored[entry.anchor] =
        (anchored[entry.anchor]?.lowerBound ?? position)..<position + 1
    }
    self.positions = positions
    self.anchored = anchored
  }

  /// Whether all rows are stored rows.
  var hasOnlyStoredRows: Bool { hidden.isEmpty && entries.isEmpty }

  func entry(_ number: Int64) -> Entry? { positions[number].map { entries[$0] } }

  /// Returns the position of a row, or `nil` if it is not visible.
  func position(of number: Int64, _ numbers: RowNumbers) -> Position? {
    if let entry = positions[number] {
      let anchor = entries[entry].anchor.flatMap { stored.position(of: $0) }
      return Position(stored: anchor ?? -1, entry: entry + 1)
    }
    guard case .stored(let rowID) = numbers.key(of: number), !hidden.contains(rowID) else {
      return nil
    }
    return stored.position(of: rowID).map { Position(stored: $0, entry: 0) }
  }

  /// Returns the placement of a row at a position.
  func placement(
    of number: Int64, at position: Position, _ numbers: RowNumbers
  ) -> RowPlacement {
    if position.entry > 0 {
      let entry = entries[position.entry - 1]
      let isFirst = anchored[entry.anchor]?.lowerBound == position.entry - 1
      return RowPlacement(
        number,
        after: isFirst
          ? entry.anchor.flatMap { numbers.existingNumber(of: .stored($0)) }
          : entries[position.entry - 2].number,
        section: entry.section)
    }
    var before = position.stored - 1
    while before >= 0, hidden.contains(stored.rowIDs[before]) { before -= 1 }
    let anchor = before >= 0 ? stored.rowIDs[before] : nil
    let section = stored.path(atPosition: position.stored).flatMap {
      stored.sectionKey(at: $0.section)
    }
    return RowPlacement(
      number,
      after: anchored[anchor].map { entries[$0.upperBound - 1].number }
        ?? anchor.flatMap { numbers.existingNumber(of: .stored($0)) },
      section: section ?? .all)
  }

  /// Returns the merged list.
  ///
  /// - Complexity: O(*n*), where *n* is the number of rows.
  func list(
    numberOf number: (Int64) -> Int64
  ) throws(OrderedIndexError) -> OrderedIndex {
    var builder = OrderedIndex.Builder(sectioned: stored.isSectioned)
    for entry in entries[anchored[nil] ?? 0..<0] {
      try builder.append(entry.number, section: entry.section)
    }
    for section in 0..<stored.sectionCount {
      let key = stored.sectionKey(at: section) ?? .all
      for rowID in stored.rowIDs(inSection: section) where !hidden.contains(rowID) {
        try builder.append(number(rowID), section: key)
        for entry in entries[anchored[rowID] ?? 0..<0] {
          try builder.append(entry.number, section: entry.section)
        }
      }
    }
    return builder.finish()
  }
}
