/// A hash index from row IDs to leaf numbers that takes four bytes per row.
///
/// Row IDs are hashed into buckets. An entry stores 12 bits of the hash and 20
/// bits of the leaf number, but not the row ID. A lookup searches each leaf
/// with a matching entry for the row. The first one nearly always contains it.
/// Equal entries are interchangeable, so removing any of them is correct.
///
/// Buckets are stored in groups. A change copies one bucket, one group and a
/// chunk of the list of groups, regardless of the number of rows.
struct RowIDHashIndex: Sendable {
  private static let tagBits = 12
  private static let numberBits = 20
  private static let groupBits = 4
  /// The maximum average number of entries per bucket after a build.
  private static let initialLoad = 128

  private(set) var groups: ChunkedArray<[[UInt32]]>
  private(set) var count: Int
  private let bucketBits: Int

  /// Creates the hash index of all rows of the leaves.
  ///
  /// - Complexity: O(*n*).
  init(_ blocks: ChunkedArray<[RowLeaf]>) {
    count = blocks.reduce(0) { $1.reduce($0) { $0 + $1.count } }
    var bits = 0
    while count > Self.initialLoad << bits { bits += 1 }
    bucketBits = bits

    // A counting sort by bucket, so that the array of each bucket has no unused
    // capacity.
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

  /// Whether the average number of entries per bucket is too large or too
  /// small. Between two rebuilds, the number of rows at least doubles or
  /// halves.
  var needsRebuild: Bool {
    let buckets = 1 << bucketBits
    return count > Self.initialLoad * 2 * buckets
      || (buckets > 1 && count < Self.initialLoad / 4 * buckets)
  }

  /// Calls `match` with each leaf that may contain the row, and returns its
  /// first non-nil result.
  ///
  /// `leafNumbers` is the upper bound of leaf numbers. If it exceeds the range
  /// of the 20 bits in an entry, several leaves match the same entry.
  func firstMatch<Match>(
    for rowID: Int64, leafNumbers: Int, where match: (_ leaf: Int) -> Match?
  ) -> Match? {
    let hash = Self.hash(rowID)
    let (group, slot) = bucketLocation(hash)
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
    let (group, slot) = bucketLocation(hash)
    let entry = Self.entry(hash, bucketBits, leaf)
    let end = groups[group][slot].count
    groups[group][slot].insert(entry, at: end, growingBy: 8)
    count += 1
  }

  mutating func remove(_ rowID: Int64, leaf: Int) {
    let hash = Self.hash(rowID)
    let (group, slot) = bucketLocation(hash)
    let entry = Self.entry(hash, bucketBits, leaf)
    if let offset = groups[group][slot].firstIndex(of: entry) {
      let last = groups[group][slot].count - 1
      groups[group][slot].swapAt(offset, last)
      groups[group][slot].removeLast()
      groups[group][slot].trimCapacity(slack: 12)
      count -= 1
    }
  }

  mutating func move(_ rowID: Int64, from old: Int, to new: Int) {
    let hash = Self.hash(rowID)
    let (group, slot) = bucketLocation(hash)
    let entry = Self.entry(hash, bucketBits, old)
    if let offset = groups[group][slot].firstIndex(of: entry) {
      groups[group][slot][offset] = Self.entry(hash, bucketBits, new)
    }
  }

  private func bucketLocation(_ hash: RowHash) -> (group: Int, slot: Int) {
    let bucket = hash.bucket(bucketBits)
    return (bucket >> Self.groupBits, bucket & (1 << Self.groupBits - 1))
  }

  private static func entry(_ hash: RowHash, _ bucketBits: Int, _ leaf: Int) -> UInt32 {
    let number = UInt32(truncatingIfNeeded: leaf) & (1 << UInt32(numberBits) - 1)
    return hash.tag(bucketBits) << UInt32(numberBits) | number
  }

  private static func hash(_ rowID: Int64) -> RowHash { RowHash(rowID) }
}

/// The hash of a row ID: the finalizer of SplitMix64 by Sebastiano Vigna
/// (2015).
private struct RowHash {
  private let bits: UInt64

  init(_ rowID: Int64) {
    var bits = UInt64(bitPattern: rowID)
    bits = (bits ^ (bits >> 30)) &* 0xBF58_476D_1CE4_E5B9
    bits = (bits ^ (bits >> 27)) &* 0x94D0_49BB_1331_11EB
    self.bits = bits ^ (bits >> 31)
  }

  /// The bucket: the most significant bits of the hash.
  func bucket(_ bucketBits: Int) -> Int {
    bucketBits == 0 ? 0 : Int(bits >> UInt64(64 - bucketBits))
  }

  /// The tag of an entry: the twelve bits after those of the bucket.
  func tag(_ bucketBits: Int) -> UInt32 {
    UInt32(truncatingIfNeeded: (bits << UInt64(bucketBits)) >> 52)
  }
}
