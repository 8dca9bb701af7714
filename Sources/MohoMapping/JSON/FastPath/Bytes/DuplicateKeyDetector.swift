/// Finds duplicate keys of the open objects by the hashes of their keys.
///
/// Keys with the same hash are treated as duplicates: the diagnostic path decides.
struct DuplicateKeyDetector: ~Copyable {
  private var hashes = TrivialArray<UInt64>(capacity: 64)

  /// A hash table of the keys of one object: the number of a key plus `epoch`. Smaller
  /// numbers belong to earlier objects.
  private let table: UnsafeMutablePointer<UInt32> = {
    let table = UnsafeMutablePointer<UInt32>.allocate(capacity: tableSize)
    table.initialize(repeating: 0, count: tableSize)
    return table
  }()
  private var epoch: UInt32 = 0

  private static let tableSize = 512

  var count: Int { hashes.count }
  var capacity: Int { hashes.capacity }

  mutating func removeAll() { hashes.removeAll(from: 0) }

  deinit { table.deallocate() }

  @inline(__always)
  mutating func append(_ hash: UInt64) { hashes.append(hash) }

  /// Removes the keys of an object, which are those from a position on.
  ///
  /// - Returns: Whether they are distinct.
  /// - Complexity: Linear in the number of keys; O(*n* log *n*) for more than 256.
  @inline(__always)
  mutating func endObject(from first: Int) -> Bool {
    let own = count - first
    hashes.removeAll(from: first)
    return own < 2 || areDistinct(first, own)
  }

  private mutating func areDistinct(_ first: Int, _ own: Int) -> Bool {
    var hashes = UnsafeMutableBufferPointer(start: hashes.start + first, count: own)
    if own > Self.tableSize / 2 {
      hashes.sort()
      return !zip(hashes, hashes.dropFirst()).contains { $0 == $1 }
    }
    if own <= 6 {
      for later in 1..<own {
        for earlier in 0..<later where hashes[earlier] == hashes[later] { return false }
      }
      return true
    }
    if epoch > UInt32.max - UInt32(Self.tableSize) {
      table.update(repeating: 0, count: Self.tableSize)
      epoch = 0
    }
    // Also after a duplicate: the table contains the keys before it.
    defer { epoch += UInt32(own) }
    // SAFETY: Indices are below the size of the table, half of which stays free.
    // Numbers above `epoch` are those of earlier keys of this object.
    for number in 0..<own {
      let hash = hashes[number]
      var index = Int(truncatingIfNeeded: hash >> 40) & (Self.tableSize - 1)
      while table[index] > epoch {
        if hashes[Int(table[index] - epoch) - 1] == hash { return false }
        index = (index + 1) & (Self.tableSize - 1)
      }
      table[index] = epoch + UInt32(number) + 1
    }
    return true
  }
}

extension DuplicateKeyDetector {
  /// The hash after another word of 8 bytes.
  // Invertible, so that keys of one word have no collisions.
  @inline(__always)
  static func mix(_ hash: UInt64, _ word: UInt64) -> UInt64 {
    let product = (hash ^ word) &* 0x9E37_79B9_7F4A_7C15
    return product ^ (product >> 32)
  }

  /// The hash of a key: of its words of 8 bytes, the last one padded with zeros. The
  /// length distinguishes a key that ends with U+0000 from that padding.
  static func hash(_ key: UnsafeBufferPointer<UInt8>) -> UInt64 {
    var hash: UInt64 = 0
    var position = 0
    while position < key.count {
      var word: UInt64 = 0
      for (number, byte) in key[position..<min(position + 8, key.count)].enumerated() {
        word |= UInt64(byte) << (UInt64(number) * 8)
      }
      hash = mix(hash, word)
      position += 8
    }
    // No word of a key has these bits, because it would not be UTF-8.
    if key.last == 0 { hash = mix(hash, ~UInt64(key.count)) }
    return hash
  }
}
