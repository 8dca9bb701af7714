/// The rows that a caller knows to be touched, with their changed keys.
///
/// Every row of both lists is asked about, nearly all in vain. One bit per
/// hashed identity answers most of that without a dictionary look-up.
struct TouchedRows {
  private let keys: [Int64: [String]]
  private var filter: [UInt64]
  private let shift: UInt64

  init(_ keys: [Int64: [String]]) {
    self.keys = keys
    // Sixteen bits a row: about one false alarm in sixteen rows at worst.
    let bitWidth = max(6, UInt64.bitWidth - (keys.count * 16).leadingZeroBitCount)
    shift = UInt64(UInt64.bitWidth - bitWidth)
    filter = Array(repeating: 0, count: 1 << (bitWidth - 6))
    for rowID in keys.keys {
      let bit = hash(rowID)
      filter[Int(bit >> 6)] |= 1 << (bit & 63)
    }
  }

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
