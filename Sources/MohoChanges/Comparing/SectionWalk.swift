/// One pass over the old and the new rows of a section that tells the rows
/// that kept their place from all others.
///
/// The rows that kept their place are counted only. Each other row remembers
/// the *gap* it stands in: the number of such rows before it.
struct SectionWalk {
  struct Stop {
    let rowID: Int64
    let row: Int
    let gap: Int
  }

  /// Old rows that did not provably keep their place, ascending.
  private(set) var departures: [Stop] = []
  /// New rows that did not provably keep their place, ascending.
  private(set) var arrivals: [Stop] = []

  private var fixedCount = 0

  /// Walks on the word of `touched` that all other rows kept their order.
  ///
  /// `newRow` tells the row a row has in the new section, `nil` if it is not
  /// there. It is asked only where the lists differ at untouched rows.
  init(
    from old: ArraySlice<Int64>,
    to new: ArraySlice<Int64>,
    touched: TouchedRows,
    newRow: (Int64) -> Int?
  ) {
    var oldRow = 0
    var row = 0
    while oldRow < old.count, row < new.count {
      let oldID = old[old.startIndex + oldRow]
      let newID = new[new.startIndex + row]
      if touched.contains(oldID) {
        depart(oldID, &oldRow)
      } else if oldID == newID {
        fixedCount += 1
        oldRow += 1
        row += 1
      } else if touched.contains(newID) {
        arrive(newID, &row)
      } else if let target = newRow(oldID), target > row {
        arrive(newID, &row)
      } else {
        depart(oldID, &oldRow)
      }
    }
    while oldRow < old.count { depart(old[old.startIndex + oldRow], &oldRow) }
    while row < new.count { arrive(new[new.startIndex + row], &row) }
  }

  /// Takes every row as one that may have moved.
  init(distrusting old: ArraySlice<Int64>, _ new: ArraySlice<Int64>) {
    var oldRow = 0
    var row = 0
    for rowID in old { depart(rowID, &oldRow) }
    for rowID in new { arrive(rowID, &row) }
  }

  /// Whether an untouched row changed its place, against the caller's word.
  func isContradicted(by touched: TouchedRows) -> Bool {
    let departed = departures.filter { !touched.contains($0.rowID) }
    let arrived = arrivals.filter { !touched.contains($0.rowID) }
    guard !departed.isEmpty, !arrived.isEmpty else { return false }
    return !Set(departed.map(\.rowID)).isDisjoint(with: arrived.lazy.map(\.rowID))
  }

  private mutating func depart(_ rowID: Int64, _ row: inout Int) {
    departures.append(Stop(rowID: rowID, row: row, gap: fixedCount))
    row += 1
  }

  private mutating func arrive(_ rowID: Int64, _ row: inout Int) {
    arrivals.append(Stop(rowID: rowID, row: row, gap: fixedCount))
    row += 1
  }
}
