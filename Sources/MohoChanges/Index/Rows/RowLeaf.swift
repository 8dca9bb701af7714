/// A run of row identities that follow one another in a list.
///
/// The number of a leaf stays the same while rows come and go, so that rows
/// can be found by it.
struct RowLeaf: Sendable {
  /// The most rows of a leaf. More would make changes copy more, fewer would
  /// cost more memory a row.
  static let capacity = 256
  /// The rows of a leaf in a newly built index: some can come before it splits.
  static let fill = 192
  /// A leaf with fewer rows looks for a neighbor to join.
  static let low = 64

  let number: Int
  private(set) var rows: [Int64]
  // Counts of leaves are added up to find ranks. Those of the arrays would
  // cost a cache miss each.
  private(set) var count: Int

  init(number: Int, rows: [Int64]) {
    self.number = number
    self.rows = rows
    count = rows.count
  }

  var isFull: Bool { count >= Self.capacity }

  mutating func insert(_ rowID: Int64, at offset: Int) {
    rows.insertTightly(rowID, at: offset, slack: 16)
    count += 1
  }

  mutating func remove(at offset: Int) -> Int64 {
    count -= 1
    let rowID = rows.remove(at: offset)
    rows.trim(slack: 24)
    return rowID
  }

  mutating func append(_ others: [Int64]) {
    rows = rows + others
    count = rows.count
  }

  mutating func prepend(_ others: [Int64]) {
    rows = others + rows
    count = rows.count
  }

  /// Takes the rows from an offset on out of the leaf.
  mutating func cut(from offset: Int) -> [Int64] {
    let tail = Array(rows[offset...])
    rows = Array(rows[..<offset])
    count = rows.count
    return tail
  }
}
