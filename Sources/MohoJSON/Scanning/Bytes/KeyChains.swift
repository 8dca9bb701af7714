/// The keys that objects had which nobody wants, in their order, to be looked for
/// first in the next object at the same place: a key that is as expected need not
/// be read byte by byte, and objects whose keys follow a chain have no two alike.
///
/// A place is a link, too: that of the key whose value the object is, or is in. Each
/// place has one chain of at most ``greatestLength`` links, no two of one key.
/// Objects may leave out links, and have keys of their own, which become links
/// behind the last one that they had.
///
/// As for ``KeyHashes``, two keys of one hash are taken for one key.
///
/// SAFETY: Positions are those that methods have returned, of links that are never
/// removed; names lie within `names`, filled up with zeros to words of 8 bytes.
struct KeyChains: ~Copyable {
  struct Link {
    let hash: UInt64
    /// Where the key begins among the names, in its quotes and with the colon.
    let name: Int32
    /// The length of that; 0 of a place without a key.
    let length: Int32
    let kind: TokenKind
    /// The next link of the chain, or -1.
    fileprivate(set) var next: Int32 = -1
    /// The first link of the chain of objects inside the value, or -1.
    fileprivate(set) var first: Int32 = -1
    /// How many links that chain has; more than it may have where the objects have
    /// all kinds of keys.
    fileprivate(set) var count: UInt8 = 0
  }

  /// As many links as a set of bits tells apart.
  static let greatestLength = 62
  private static let greatestCount = 4_096

  private var links = PlainList<Link>(capacity: 16)
  private var names = PlainList<UInt64>(capacity: 64)

  @inline(__always)
  subscript(position: Int) -> Link { links[position] }

  /// The key in its quotes, and the colon.
  @inline(__always)
  func name(_ position: Int) -> UnsafeRawPointer {
    UnsafeRawPointer(names.start + Int(links[position].name))
  }

  /// Makes a place of its own.
  ///
  /// - Returns: Its position; -1 where there are too many.
  mutating func place() -> Int {
    add(Link(hash: 0, name: 0, length: 0, kind: .none))
  }

  /// Makes a link of a key that belongs to no chain.
  ///
  /// - Parameters:
  ///   - key: The bytes between its quotes, none of which is an escape.
  /// - Returns: Its position; -1 where there are too many.
  mutating func link(_ key: UnsafeBufferPointer<UInt8>, hash: UInt64, kind: TokenKind) -> Int {
    let length = key.count + 3
    guard links.count < Self.greatestCount, length < 256 else { return -1 }
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

  /// Puts a link of a key into the chain of a place, whose links have other keys.
  ///
  /// - Parameter last: The link before it; -1 where it is the first.
  /// - Returns: Its position; -1 where there are too many, from now on.
  mutating func insert(
    _ key: UnsafeBufferPointer<UInt8>, hash: UInt64, kind: TokenKind, behind last: Int,
    at place: Int
  ) -> Int {
    let link =
      links[place].count < UInt8(Self.greatestLength) ? link(key, hash: hash, kind: kind) : -1
    guard link >= 0 else {
      links[place].count = .max
      return -1
    }
    if last >= 0 {
      links[link].next = links[last].next
      links[last].next = Int32(link)
    } else {
      links[link].next = links[place].first
      links[place].first = Int32(link)
    }
    links[place].count += 1
    return link
  }

  /// Whether objects at a place have a chain.
  @inline(__always)
  func isChained(_ place: Int) -> Bool { place >= 0 && links[place].count != .max }

  private mutating func add(_ link: Link) -> Int {
    guard links.count < Self.greatestCount else { return -1 }
    links.append(link)
    return links.count - 1
  }
}

/// How far an object has come in the chain of its place.
struct ChainWalk {
  /// The place; -1 where the object has no chain, or has left it.
  var place: Int32 = -1
  /// The link that is expected, or -1.
  var expected: Int32 = -1
  /// The last link that the object has had, or -1.
  var last: Int32 = -1
  /// The bit of the link that is expected.
  var bit: UInt64 = 1
  /// The links that the object has had, by their numbers in the chain.
  var had: UInt64 = 0

  /// Begins an object without a chain.
  @inline(__always)
  init() {}

  /// Begins an object at a place that has a chain.
  @inline(__always)
  init(_ place: Int, _ chains: borrowing KeyChains) {
    self.place = Int32(truncatingIfNeeded: place)
    expected = chains[place].first
  }

  /// Goes on to a link, which the object has.
  @inline(__always)
  mutating func take(_ link: Int, bit: UInt64, _ chains: borrowing KeyChains) {
    had |= bit
    self.bit = bit << 1
    last = Int32(truncatingIfNeeded: link)
    expected = chains[link].next
  }
}
