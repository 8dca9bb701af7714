/// The leaves of rows that arrive in order, each made when its rows are there: a
/// new index takes hardly more memory in the making than when it is made.
struct RowLeaves: Sendable {
  private var leaves: [RowLeaf] = []
  /// The rows of the next leaf.
  private var rows: [Int64] = []

  /// The number of rows.
  var count: Int { leaves.count * RowLeaf.fill + rows.count }

  mutating func append(_ rowID: Int64) {
    if rows.isEmpty { rows.reserveCapacity(RowLeaf.fill) }
    rows.append(rowID)
    if rows.count == RowLeaf.fill { endLeaf() }
  }

  mutating func append(contentsOf rowIDs: ArraySlice<Int64>) {
    var rest = rowIDs
    while !rest.isEmpty {
      if rows.isEmpty { rows.reserveCapacity(RowLeaf.fill) }
      let part = rest.prefix(RowLeaf.fill - rows.count)
      rows.append(contentsOf: part)
      rest = rest[part.endIndex...]
      if rows.count == RowLeaf.fill { endLeaf() }
    }
  }

  /// All leaves, of which the last one may have fewer rows than the others.
  consuming func finish() -> [RowLeaf] {
    if !rows.isEmpty {
      rows.trim(slack: 0)
      endLeaf()
    }
    return leaves
  }

  private mutating func endLeaf() {
    leaves.append(RowLeaf(number: leaves.count, rows: rows))
    rows = []
  }
}
