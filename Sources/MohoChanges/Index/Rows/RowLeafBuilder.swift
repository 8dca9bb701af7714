/// Builds leaves from rows that arrive in order. It creates each leaf as soon
/// as its rows are complete, so that the peak memory of a build is close to the
/// memory of the finished index.
struct RowLeafBuilder: Sendable {
  private var leaves: [RowLeaf] = []
  /// The rows of the incomplete leaf.
  private var rows: [Int64] = []

  /// The number of appended rows.
  var count: Int { leaves.count * RowLeaf.initialCount + rows.count }

  mutating func append(_ rowID: Int64) {
    if rows.isEmpty { rows.reserveCapacity(RowLeaf.initialCount) }
    rows.append(rowID)
    if rows.count == RowLeaf.initialCount { finishLeaf() }
  }

  mutating func append(contentsOf rowIDs: ArraySlice<Int64>) {
    var rest = rowIDs
    while !rest.isEmpty {
      if rows.isEmpty { rows.reserveCapacity(RowLeaf.initialCount) }
      let part = rest.prefix(RowLeaf.initialCount - rows.count)
      rows.append(contentsOf: part)
      rest = rest[part.endIndex...]
      if rows.count == RowLeaf.initialCount { finishLeaf() }
    }
  }

  /// Returns all leaves. All but the last one have `RowLeaf.initialCount` rows.
  consuming func finish() -> [RowLeaf] {
    if !rows.isEmpty {
      rows.trimCapacity(slack: 0)
      finishLeaf()
    }
    return leaves
  }

  private mutating func finishLeaf() {
    leaves.append(RowLeaf(number: leaves.count, rows: rows))
    rows = []
  }
}
