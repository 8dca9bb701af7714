/// Predicts the next key of objects that are skipped or recorded, from the order of
/// the keys of earlier objects at the same site. A predicted key is compared word by
/// word, and an object whose keys follow the prediction has no duplicate keys.
///
/// A site is a location in the structure of documents: a slot of a plan, or the value
/// of a key at another site. Each site has one chain of at most ``maxLength`` links, each
/// of a different key. An object may omit links. Its new keys become links after its
/// previous key.
///
/// As in ``DuplicateKeyDetector``, keys with the same hash are treated as equal.
///
/// SAFETY: Positions are those that methods returned. Links are never removed. Names
/// are in `names`, padded with zeros to words of 8 bytes.
struct KeyOrderPredictor: ~Copyable {
  struct Link {
    let hash: UInt64
    /// The start in `names` of the key in quotes with a colon.
    let name: Int32
    /// The length of the name; 0 for a site without a key.
    let length: Int32
    let kind: TokenKind
    /// The next link of the chain, or -1.
    fileprivate(set) var next: Int32 = -1
    /// The first link of the chain of objects in the value, or -1.
    fileprivate(set) var first: Int32 = -1
    /// The length of that chain; the maximum if there is no prediction because the
    /// objects have too many different keys.
    fileprivate(set) var count: UInt8 = 0
  }

  /// Less than the size of a bit set.
  static let maxLength = 62
  private static let maxCount = 4_096

  private var links = TrivialArray<Link>(capacity: 16)
  private var names = TrivialArray<UInt64>(capacity: 64)

  var isHalfFull: Bool { links.count > Self.maxCount / 2 }

  @inline(__always)
  subscript(position: Int) -> Link { links[position] }

  /// The key in quotes with a colon.
  @inline(__always)
  func name(_ position: Int) -> UnsafeRawPointer {
    UnsafeRawPointer(names.start + Int(links[position].name))
  }

  /// Adds a site.
  ///
  /// - Returns: Its position; -1 if there are too many.
  mutating func addSite() -> Int {
    add(Link(hash: 0, name: 0, length: 0, kind: .none))
  }

  /// Adds a link outside chains.
  ///
  /// - Parameter key: The bytes between the quotes, without escape sequences.
  /// - Returns: Its position; -1 if there are too many.
  mutating func link(_ key: UnsafeBufferPointer<UInt8>, hash: UInt64, kind: TokenKind) -> Int {
    let length = key.count + 3
    guard links.count < Self.maxCount, length < 256 else { return -1 }
    let name = names.count
    names.append(repeating: 0, count: (length + 7) / 8)
    let bytes = UnsafeMutableRawPointer(names.start + name)
    bytes.storeBytes(of: UInt8(ascii: "\""), as: UInt8.self)
    for (offset, byte) in key.enumerated() {
      bytes.storeBytes(of: byte, toByteOffset: offset + 1, as: UInt8.self)
    }
    bytes.storeBytes(of: UInt8(ascii: "\""), toByteOffset: length - 2, as: UInt8.self)
    bytes.storeBytes(of: UInt8(ascii: ":"), toByteOffset: length - 1, as: UInt8.self)
    return add(Link(hash: hash, name: Int32(name), length: Int32(length), kind: kind))
  }

  /// Adds a link to the chain of a site that does not contain the key.
  ///
  /// - Parameter last: The previous link, or -1.
  /// - Returns: Its position; -1 if there are too many. The site then has no
  ///   predictions anymore.
  mutating func insert(
    _ key: UnsafeBufferPointer<UInt8>, hash: UInt64, kind: TokenKind, after last: Int,
    at site: Int
  ) -> Int {
    let link =
      links[site].count < UInt8(Self.maxLength) ? link(key, hash: hash, kind: kind) : -1
    guard link >= 0 else {
      links[site].count = .max
      return -1
    }
    if last >= 0 {
      links[link].next = links[last].next
      links[last].next = Int32(link)
    } else {
      links[link].next = links[site].first
      links[site].first = Int32(link)
    }
    links[site].count += 1
    return link
  }

  /// Whether objects at a site have predictions.
  @inline(__always)
  func hasPrediction(_ site: Int) -> Bool { site >= 0 && links[site].count != .max }

  private mutating func add(_ link: Link) -> Int {
    guard links.count < Self.maxCount else { return -1 }
    links.append(link)
    return links.count - 1
  }
}

/// The position of an object in the chain of its site.
struct PredictionCursor {
  /// The site; -1 if the object has no predictions.
  var site: Int32 = -1
  /// The predicted link, or -1.
  var expected: Int32 = -1
  /// The link of the previous key, or -1.
  var last: Int32 = -1
  /// The bit of the predicted link.
  var bit: UInt64 = 1
  /// The links of the keys so far, by their numbers in the chain.
  var used: UInt64 = 0

  @inline(__always)
  init() {}

  @inline(__always)
  init(_ site: Int, _ keyOrders: borrowing KeyOrderPredictor) {
    self.site = Int32(truncatingIfNeeded: site)
    expected = keyOrders[site].first
  }

  /// Moves past a link.
  @inline(__always)
  mutating func take(_ link: Int, bit: UInt64, _ keyOrders: borrowing KeyOrderPredictor) {
    used |= bit
    self.bit = bit << 1
    last = Int32(truncatingIfNeeded: link)
    expected = keyOrders[link].next
  }
}
