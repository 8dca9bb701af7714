/// Maps row IDs to positions in a list.
///
/// Most databases assign consecutive row IDs. In that case the table is an
/// array indexed by row ID, which costs a few percent of a hash table.
struct PositionTable {
  private enum Storage {
    case dense(base: Int64, positions: [Int32])
    case sparse([Int64: Int])
  }

  private let storage: Storage

  init(_ rowIDs: [Int64]) {
    storage = Self.dense(rowIDs) ?? Self.sparse(rowIDs)
  }

  /// Returns the position of a row in the whole list, or `nil` if the row is
  /// not in the list.
  ///
  /// - Complexity: O(1).
  func position(of rowID: Int64) -> Int? {
    switch storage {
    case .sparse(let positions):
      return positions[rowID]
    case .dense(let base, let positions):
      let (offset, overflow) = rowID.subtractingReportingOverflow(base)
      guard !overflow, offset >= 0, offset < positions.count else { return nil }
      let position = positions[Int(offset)]
      return position < 0 ? nil : Int(position)
    }
  }

  private static func dense(_ rowIDs: [Int64]) -> Storage? {
    var (least, greatest) = (Int64.max, Int64.min)
    for rowID in rowIDs { (least, greatest) = (min(least, rowID), max(greatest, rowID)) }
    // Overflows if there are no rows.
    let (span, overflow) = greatest.subtractingReportingOverflow(least)
    guard !overflow, span < Int64(rowIDs.count) * 8, span < Int32.max else { return nil }
    var positions = [Int32](repeating: -1, count: Int(span) + 1)
    for (position, rowID) in rowIDs.enumerated() {
      positions[Int(rowID - least)] = Int32(truncatingIfNeeded: position)
    }
    return .dense(base: least, positions: positions)
  }

  private static func sparse(_ rowIDs: [Int64]) -> Storage {
    var positions: [Int64: Int] = [:]
    positions.reserveCapacity(rowIDs.count)
    for (position, rowID) in rowIDs.enumerated() { positions[rowID] = position }
    return .sparse(positions)
  }
}
