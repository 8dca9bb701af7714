import MohoMapping

/// Where the values of keys lie in an object, as a tree of their paths, which a
/// scanner follows while it passes the object.
///
/// Each path has a slot for the value that is found: those of the keys come
/// first, then those of alternatives.
// SAFETY: `@unchecked Sendable` because nothing is written to the memory after
// the initializer. Positions in it are made by the initializer, too.
final class ScanPlan: @unchecked Sendable {
  /// An object or array on the way to values.
  struct Node {
    let isArray: Bool
    /// Its members or elements among the entries.
    let entries: Range<Int32>
    /// The slots of all paths that lead through it, among `slotsBelow`.
    let below: Range<Int32>
    /// Where its hash table begins, and the size of that less one, which is of
    /// ones.
    let table: Int32
    let tableMask: Int32
  }

  /// A member or element on the way to values.
  struct Entry {
    /// The hash of the key; the index of an element.
    let hash: UInt64
    /// Where the key begins among the names, in its quotes and with the colon, and
    /// the length of that.
    let name: Int32
    let length: Int32
    /// Whether texts may have the key as it is, without escapes.
    let isLiteral: Bool
    /// The slot of the path that ends here, or -1.
    let slot: Int32
    /// The node of the paths that go on, or -1.
    let child: Int32
  }

  let keyCount: Int
  let slotCount: Int
  let nodeCount: Int
  let entryCount: Int
  /// The slots of the alternatives of each key; empty where no key has any.
  let alternatives: [Range<Int>]
  /// The keys whose values are the object itself.
  let inlined: Set<Int>
  /// Whether slots of keys are all that there is to a key.
  let isPlain: Bool
  /// The node of the object, behind the envelope.
  let body: Int

  let nodes: UnsafeMutablePointer<Node>
  let entries: UnsafeMutablePointer<Entry>
  let slotsBelow: UnsafeMutablePointer<Int32>
  /// Keys in quotes, with a colon, filled up with zeros to words of 8 bytes.
  let names: UnsafeMutablePointer<UInt64>
  /// The entries by their hashes, -1 where there is none.
  let tables: UnsafeMutablePointer<Int32>

  /// Nil where the keys, or what is said of them, are none that a scanner knows.
  convenience init?(_ keys: [MappingKey], envelope: FieldPath? = nil) {
    var tree = ScanTree()
    let body = tree.node(at: envelope?.components ?? [])
    var alternatives: [Range<Int>] = []
    var inlined: Set<Int> = []
    var slotCount = keys.count
    for (index, key) in keys.enumerated() {
      guard !key.receivesUnknownMembers else { return nil }
      if key.isInlined {
        inlined.insert(index)
      } else if let path = key.source {
        guard tree.insert(path, at: body, slot: index) else { return nil }
      }
      for (number, path) in key.alternatives.enumerated() {
        guard tree.insert(path, at: body, slot: slotCount + number) else { return nil }
      }
      alternatives.append(slotCount..<(slotCount + key.alternatives.count))
      slotCount += key.alternatives.count
    }
    guard let body, tree.hasDistinctHashes else { return nil }
    self.init(
      tree, body: body, keyCount: keys.count, slotCount: slotCount,
      alternatives: slotCount > keys.count ? alternatives : [], inlined: inlined)
  }

  /// Makes the plan of no keys.
  convenience init() {
    self.init(
      ScanTree(), body: 0, keyCount: 0, slotCount: 0, alternatives: [], inlined: [])
  }

  private init(
    _ tree: ScanTree, body: Int, keyCount: Int, slotCount: Int, alternatives: [Range<Int>],
    inlined: Set<Int>
  ) {
    let layout = ScanTree.Layout(tree)
    self.body = body
    self.keyCount = keyCount
    self.slotCount = slotCount
    self.alternatives = alternatives
    self.inlined = inlined
    isPlain = alternatives.isEmpty && inlined.isEmpty
    nodeCount = layout.nodes.count
    entryCount = layout.entries.count
    nodes = .copy(layout.nodes)
    entries = .copy(layout.entries)
    slotsBelow = .copy(layout.slotsBelow)
    names = .copy(layout.names)
    tables = .copy(layout.tables)
  }

  deinit {
    nodes.deallocate()
    entries.deallocate()
    slotsBelow.deallocate()
    names.deallocate()
    tables.deallocate()
  }

  /// The entry of a node whose key has a hash, or -1.
  @inline(__always)
  func entry(of node: Int, hash: UInt64) -> Int {
    let node = nodes[node]
    var place = Int32(truncatingIfNeeded: hash) & node.tableMask
    while true {
      let entry = Int(tables[Int(node.table + place)])
      if entry < 0 || entries[entry].hash == hash { return entry }
      place = (place + 1) & node.tableMask
    }
  }

  /// The bytes of an entry's key in its quotes, and a colon.
  @inline(__always)
  func name(_ entry: Int) -> UnsafeRawPointer {
    UnsafeRawPointer(names + Int(entries[entry].name))
  }
}

extension UnsafeMutablePointer {
  fileprivate static func copy(_ elements: [Pointee]) -> UnsafeMutablePointer {
    let copy = UnsafeMutablePointer.allocate(capacity: Swift.max(elements.count, 1))
    for (position, element) in elements.enumerated() {
      (copy + position).initialize(to: element)
    }
    return copy
  }
}
