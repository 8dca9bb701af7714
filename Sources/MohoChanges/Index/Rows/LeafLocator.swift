/// Finds the leaf of a row by the row's identity, at four bytes a row.
///
/// Identities are hashed into buckets. An entry keeps twelve bits of the hash
/// and twenty of the leaf's number, not the identity itself: a look-up asks
/// each leaf whose entry agrees whether it has the row. Nearly always the first
/// one does. Entries that are equal stand for each other, so that any of them
/// may be removed.
///
/// Buckets are kept in groups. A change copies its bucket, its group and a list
/// of some groups, however many rows there are.
struct LeafLocator: Sendable {
  private static let tagBits = 12
  private static let numberBits = 20
  private static let groupBits = 4
  /// Rows to a bucket when built, at most.
  private static let fill = 128

  private(set) var groups: ChunkedArray<[[UInt32]]>
  private(set) var count: Int
  private let bucketBits: Int

  /// Makes a locator of all rows of the leaves.
  ///
  /// - Complexity: O(*n*).
  init(_ blocks: ChunkedArray<[RowLeaf]>) {
    count = blocks.reduce(0) { $1.reduce($0) { $0 + $1.count } }
    var bits = 0
    while count > Self.fill << bits { bits += 1 }
    bucketBits = bits

    // A counting sort by bucket gives each bucket an array that just fits.
    var ends = [Int](repeating: 0, count: 1 << bits)
    for leaf in blocks.joined() {
      for rowID in leaf.rows { ends[Self.hash(rowID).bucket(bits)] += 1 }
    }
    var start = 0
    for bucket in ends.indices {
      start += ends[bucket]
      ends[bucket] = start
    }
    var entries = [UInt32](repeating: 0, count: count)
    var next = ends
    for leaf in blocks.joined() {
      for rowID in leaf.rows {
        let hash = Self.hash(rowID)
        let bucket = hash.bucket(bits)
        next[bucket] -= 1
        entries[next[bucket]] = Self.entry(hash, bits, leaf.number)
      }
    }

    groups = ChunkedArray(
      stride(from: 0, to: ends.count, by: 1 << Self.groupBits).map { first in
        (first..<min(first + 1 << Self.groupBits, ends.count)).map { bucket in
          Array(entries[next[bucket]..<ends[bucket]])
        }
      })
  }

  /// Whether buckets have become so full, or so empty, that the locator should
  /// be built anew. Between two times the number of rows doubles at least.
  var isOutgrown: Bool {
    let buckets = 1 << bucketBits
    return count > Self.fill * 2 * buckets || (buckets > 1 && count < Self.fill / 4 * buckets)
  }

  /// What `match` answers for the first leaf that may have the row and for
  /// which it has an answer.
  ///
  /// `leafNumbers` bounds the numbers of leaves. Where there are more than an
  /// entry has bits for, several leaves agree with one entry.
  func first<Match>(
    _ rowID: Int64, leafNumbers: Int, where match: (_ leaf: Int) -> Match?
  ) -> Match? {
    let hash = Self.hash(rowID)
    let (group, slot) = place(hash)
    let tag = hash.tag(bucketBits)
    for entry in groups[group][slot] where entry >> UInt32(Self.numberBits) == tag {
      let lowest = Int(entry & (1 << UInt32(Self.numberBits) - 1))
      for number in stride(from: lowest, to: leafNumbers, by: 1 << Self.numberBits) {
        if let found = match(number) { return found }
      }
    }
    return nil
  }

  mutating func insert(_ rowID: Int64, leaf: Int) {
    let hash = Self.hash(rowID)
    let (group, slot) = place(hash)
    let entry = Self.entry(hash, bucketBits, leaf)
    let end = groups[group][slot].count
    groups[group][slot].insertTightly(entry, at: end, slack: 8)
    count += 1
  }

  mutating func remove(_ rowID: Int64, leaf: Int) {
    let hash = Self.hash(rowID)
    let (group, slot) = place(hash)
    let entry = Self.entry(hash, bucketBits, leaf)
    guard let offset = groups[group][slot].firstIndex(of: entry) else { return }
    let last = groups[group][slot].count - 1
    groups[group][slot].swapAt(offset, last)
    groups[group][slot].removeLast()
    groups[group][slot].trim(slack: 12)
    count -= 1
  }

  mutating func move(_ rowID: Int64, from old: Int, to new: Int) {
    let hash = Self.hash(rowID)
    let (group, slot) = place(hash)
    let entry = Self.entry(hash, bucketBits, old)
    guard let offset = groups[group][slot].firstIndex(of: entry) else { return }
    groups[group][slot][offset] = Self.entry(hash, bucketBits, new)
  }

  private func place(_ hash: RowHash) -> (group: Int, slot: Int) {
    let bucket = hash.bucket(bucketBits)
    return (bucket >> Self.groupBits, bucket & (1 << Self.groupBits - 1))
  }

  private static func entry(_ hash: RowHash, _ bucketBits: Int, _ leaf: Int) -> UInt32 {
    let number = UInt32(truncatingIfNeeded: leaf) & (1 << UInt32(numberBits) - 1)
    return hash.tag(bucketBits) << UInt32(numberBits) | number
  }

  private static func hash(_ rowID: Int64) -> RowHash { RowHash(rowID) }
}

/// The bits of a row identity, well mixed: the finalizer of SplitMix64 by
/// Sebastiano Vigna (2015).
private struct RowHash {
  private let bits: UInt64

  init(_ rowID: Int64) {
    var bits = UInt64(bitPattern: rowID)
    bits = (bits ^ (bits >> 30)) &* 0xBF58_476D_1CE4_E5B9
    bits = (bits ^ (bits >> 27)) &* 0x94D0_49BB_1331_11EB
    self.bits = bits ^ (bits >> 31)
  }

  /// The first bits.
  func bucket(_ bucketBits: Int) -> Int {
    bucketBits == 0 ? 0 : Int(bits >> UInt64(64 - bucketBits))
  }

  /// The twelve bits behind those of the bucket.
  func tag(_ bucketBits: Int) -> UInt32 {
    UInt32(truncatingIfNeeded: (bits << UInt64(bucketBits)) >> 52)
  }
}
