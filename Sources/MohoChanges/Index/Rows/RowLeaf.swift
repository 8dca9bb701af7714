/// A leaf of a `RowTree`: the IDs of consecutive rows of a list.
///
/// The number of a leaf is stable while rows are inserted and removed. The hash
/// index refers to leaves by number.
struct RowLeaf: Sendable {
  /// The maximum number of rows. A larger capacity makes updates copy more, a
  /// smaller one takes more memory per row.
  static let capacity = 256
  /// The number of rows per leaf in a newly built index. It leaves room for
  /// insertions before a split.
  static let initialCount = 192
  /// A leaf with fewer rows is merged with a neighbor if possible.
  static let mergeThreshold = 64

  let number: Int
  private(set) var rows: [Int64]
  // A copy of `rows.count`. Lookups add up the counts of leaves. To read them
  // from the arrays would cost a cache miss for each leaf.
  private(set) var count: Int

  init(number: Int, rows: [Int64]) {
    self.number = number
    self.rows = rows
    count = rows.count
  }

  var isFull: Bool { count >= Self.capacity }

  mutating func insert(_ rowID: Int64, at offset: Int) {
    rows.insert(rowID, at: offset, growingBy: 16)
    count += 1
  }

  mutating func remove(at offset: Int) -> Int64 {
    count -= 1
    let rowID = rows.remove(at: offset)
    rows.trimCapacity(slack: 24)
    return rowID
  }

  mutating func append(_ rowIDs: [Int64]) {
    rows = rows + rowIDs
    count = rows.count
  }

  mutating func prepend(_ rowIDs: [Int64]) {
    rows = rowIDs + rows
    count = rows.count
  }

  /// Removes the rows from an offset to the end, and returns them.
  mutating func removeSuffix(from offset: Int) -> [Int64] {
    let tail = Array(rows[offset...])
    rows = Array(rows[..<offset])
    count = rows.count
    return tail
  }
}
