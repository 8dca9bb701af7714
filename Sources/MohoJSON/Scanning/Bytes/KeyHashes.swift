/// The keys of the objects around a position, as hashes of their bytes, to tell
/// whether an object has two members of one key.
///
/// Two keys of one hash are taken for one key: then the parser is asked.
struct KeyHashes: ~Copyable {
  private var hashes = PlainList<UInt64>(capacity: 64)

  /// A hash table of the keys of one object: the number of a key behind
  /// `epoch`, where that is larger. What is not is left from other objects.
  private let table: UnsafeMutablePointer<UInt32> = {
    let table = UnsafeMutablePointer<UInt32>.allocate(capacity: tableSize)
    table.initialize(repeating: 0, count: tableSize)
    return table
  }()
  private var epoch: UInt32 = 0

  private static let tableSize = 512

  var count: Int { hashes.count }

  mutating func removeAll() { hashes.removeAll(from: 0) }

  deinit { table.deallocate() }

  @inline(__always)
  mutating func append(_ hash: UInt64) { hashes.append(hash) }

  /// Ends an object whose keys are those from a position on.
  ///
  /// - Returns: Whether all of them are different.
  /// - Complexity: Linear in the number of keys; of more than 256, that times its
  ///   logarithm.
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
    // SAFETY: Places are below the size of the table, which half of it stay free
    // of, and the numbers behind `epoch` are those of keys before this one.
    for number in 0..<own {
      let hash = hashes[number]
      var place = Int(truncatingIfNeeded: hash >> 40) & (Self.tableSize - 1)
      while table[place] > epoch {
        if hashes[Int(table[place] - epoch) - 1] == hash { return false }
        place = (place + 1) & (Self.tableSize - 1)
      }
      table[place] = epoch + UInt32(number) + 1
    }
    epoch += UInt32(own)
    return true
  }
}

extension KeyHashes {
  /// The hash of more bytes, 8 of them in a word.
  // Without collisions for keys of one word: each step can be undone.
  @inline(__always)
  static func mix(_ hash: UInt64, _ word: UInt64) -> UInt64 {
    let product = (hash ^ word) &* 0x9E37_79B9_7F4A_7C15
    return product ^ (product >> 32)
  }

  /// The hash of a key: of its words of 8 bytes, the last one padded with zeros.
  /// The length distinguishes a key that ends with U+0000 from that padding.
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
    // The bits of no word of a key: those are UTF-8.
    if key.last == 0 { hash = mix(hash, ~UInt64(key.count)) }
    return hash
  }
}
