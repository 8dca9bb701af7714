import MohoChanges

/// One state of a result: which rows stand where, and what they hold.
struct ResultsState: Sendable {
  /// How many states of the result came before this one.
  let generation: Int
  let index: OrderedIndex
  let fingerprints: FingerprintTable

  /// The names of the keys whose values differ between two states, for each
  /// row that is in both and differs.
  ///
  /// - Complexity: O(*n*) in the number of rows.
  func changedKeys(to new: ResultsState, names: [String]) -> [Int64: [String]] {
    var oldRows: [Int64: Int] = Dictionary(minimumCapacity: index.count)
    for (row, rowID) in index.rowIDs.enumerated() { oldRows[rowID] = row }
    var changed: [Int64: [String]] = [:]
    for (row, rowID) in new.index.rowIDs.enumerated() {
      guard let oldRow = oldRows[rowID] else { continue }
      let keys = fingerprints.changedKeys(
        ofRow: oldRow, to: new.fingerprints, row: row, names: names)
      if !keys.isEmpty { changed[rowID] = keys }
    }
    return changed
  }
}

/// One number for each key of each row, by which changed values are told from
/// unchanged ones.
struct FingerprintTable: Sendable {
  let width: Int
  private(set) var values: [UInt64]

  init(width: Int, values: [UInt64] = []) {
    self.width = width
    self.values = values
  }

  subscript(row: Int) -> ArraySlice<UInt64> { values[row * width..<(row + 1) * width] }

  mutating func reserveCapacity(rows: Int) { values.reserveCapacity(rows * width) }

  mutating func append(_ row: some Collection<UInt64>) { values.append(contentsOf: row) }

  func changedKeys(
    ofRow row: Int, to other: FingerprintTable, row otherRow: Int, names: [String]
  ) -> [String] {
    let (old, new) = (self[row], other[otherRow])
    if old == new { return [] }
    return zip(names, zip(old, new)).filter { $1.0 != $1.1 }.map(\.0)
  }
}
