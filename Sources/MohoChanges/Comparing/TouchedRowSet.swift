/// The touched rows and their changed keys.
///
/// A comparison tests every row of both lists for membership, and nearly all
/// tests fail. A filter with one bit per hashed row ID answers most of them
/// without a dictionary lookup.
struct TouchedRowSet {
  private let keys: [Int64: [String]]
  private var filter: [UInt64]
  private let shift: UInt64

  init(_ keys: [Int64: [String]]) {
    self.keys = keys
    // At least sixteen bits per row: at most one false positive in sixteen
    // lookups.
    let bitWidth = max(6, UInt64.bitWidth - (keys.count * 16).leadingZeroBitCount)
    shift = UInt64(UInt64.bitWidth - bitWidth)
    filter = Array(repeating: 0, count: 1 << (bitWidth - 6))
    for rowID in keys.keys {
      let bit = hash(rowID)
      filter[Int(bit >> 6)] |= 1 << (bit & 63)
    }
  }

  /// Whether a row is touched.
  ///
  /// - Complexity: O(1).
  func contains(_ rowID: Int64) -> Bool {
    let bit = hash(rowID)
    guard filter[Int(bit >> 6)] & (1 << (bit & 63)) != 0 else { return false }
    return keys[rowID] != nil
  }

  func changedKeys(of rowID: Int64) -> [String] {
    keys[rowID] ?? []
  }

  // Multiplicative hashing by the golden ratio: D. E. Knuth, The Art of
  // Computer Programming, vol. 3, section 6.4.
  private func hash(_ rowID: Int64) -> UInt64 {
    (UInt64(bitPattern: rowID) &* 0x9E37_79B9_7F4A_7C15) &>> shift
  }
}

/// A touched row and its paths in two lists.
struct TouchedRow {
  let rowID: Int64
  /// The path in old space, or `nil` if the row was inserted.
  let old: RowPath?
  /// The path in new space, or `nil` if the row was deleted.
  let new: RowPath?
  /// The names of the changed keys, in declaration order.
  let changedKeys: [String]
}
