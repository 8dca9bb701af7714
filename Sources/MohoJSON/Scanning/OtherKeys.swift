/// The keys without an entry that objects of a reader have had, as links among the
/// scanner's chains: to be looked for first, and as the places of their values. A key
/// is another one in each node of the plan.
// SAFETY: Numbers are below `count`.
struct OtherKeys: ~Copyable {
  /// As many as a set of bits tells apart.
  static let greatestCount = 64

  private let links = UnsafeMutablePointer<Int32>.allocate(capacity: greatestCount)
  private let nodes = UnsafeMutablePointer<Int32>.allocate(capacity: greatestCount)
  private var count = 0

  deinit {
    links.deallocate()
    nodes.deallocate()
  }

  /// The link of a key.
  @inline(__always)
  subscript(number: Int) -> Int { Int(links[number]) }

  /// The number of a key; a new one where it is met first. -1 where there is no
  /// more room, or it is spelled with escapes.
  mutating func number(
    _ key: Token, _ hash: UInt64, of node: Int, _ scanner: inout ByteScanner
  ) -> Int {
    for number in 0..<count
    where nodes[number] == Int32(node) && scanner.chains[Int(links[number])].hash == hash {
      return number
    }
    guard count < Self.greatestCount, key.kind != .escaped else { return -1 }
    let link = scanner.chains.link(scanner.bytes(key.range), hash: hash, kind: key.kind)
    guard link >= 0 else { return -1 }
    (links + count).initialize(to: Int32(link))
    (nodes + count).initialize(to: Int32(node))
    count += 1
    return count - 1
  }
}
