/// The keys without an entry in a plan that its objects contained, numbered by node
/// and key. Each is a link of the key order predictor, and the site of its values.
// SAFETY: Numbers are below `count`.
struct UnmappedKeys: ~Copyable {
  /// The size of a bit set.
  static let maxCount = 64

  private let links = UnsafeMutablePointer<Int32>.allocate(capacity: maxCount)
  private let nodes = UnsafeMutablePointer<Int32>.allocate(capacity: maxCount)
  private var count = 0

  deinit {
    links.deallocate()
    nodes.deallocate()
  }

  /// The link of a key.
  @inline(__always)
  subscript(number: Int) -> Int { Int(links[number]) }

  /// The number of a key, which is added if it is new; -1 if there are too many keys
  /// or it has escape sequences.
  mutating func number(
    _ key: Token, _ hash: UInt64, of node: Int, _ scanner: inout ByteScanner
  ) -> Int {
    for number in 0..<count
    where nodes[number] == Int32(node) && scanner.keyOrders[Int(links[number])].hash == hash {
      return number
    }
    guard count < Self.maxCount, key.kind != .escaped else { return -1 }
    let link = scanner.keyOrders.link(scanner.bytes(key.range), hash: hash, kind: key.kind)
    guard link >= 0 else { return -1 }
    (links + count).initialize(to: Int32(link))
    (nodes + count).initialize(to: Int32(node))
    count += 1
    return count - 1
  }
}
