/// The paths of a mapping's keys as a trie that a scanner follows through an object.
///
/// Each path has a slot for its value. The slots of keys precede those of
/// alternatives.
// SAFETY: `@unchecked Sendable` because the memory is immutable after the
// initializer, which also creates all positions in it.
package final class FieldScanPlan: @unchecked Sendable {
  /// An object or array on a path.
  struct Node {
    let isArray: Bool
    /// Its members or elements in `entries`.
    let entries: Range<Int32>
    /// The slots of all paths through it, in `slotsBelow`.
    let below: Range<Int32>
    /// The start of its hash table, and the size of the table minus one.
    let table: Int32
    let tableMask: Int32
  }

  /// A member or element on a path.
  struct Entry {
    /// The hash of the key, or the index of the element.
    let hash: UInt64
    /// The start in `names` and the length of the key in quotes with a colon.
    let name: Int32
    let length: Int32
    /// Whether the key needs no escape sequences.
    let isLiteral: Bool
    /// The slot of the path that ends here, or -1.
    let slot: Int32
    /// The node of the paths that continue, or -1.
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
  /// The paths inside the elements of the arrays that keys collect from.
  let collected: [Int: [CollectedStep]]
  /// Whether no key has alternatives, is inlined, or collects.
  let isPlain: Bool
  /// The key that receives the unknown members of the object, or -1.
  let unknownIndex: Int
  /// The paths to the nodes, if there is such a key.
  let paths: [FieldPath]
  /// The node of the object in the envelope.
  let body: Int

  let nodes: UnsafeMutablePointer<Node>
  let entries: UnsafeMutablePointer<Entry>
  let slotsBelow: UnsafeMutablePointer<Int32>
  /// Keys in quotes with a colon, padded with zeros to words of 8 bytes.
  let names: UnsafeMutablePointer<UInt64>
  /// Hash tables of entries. -1 is free.
  let tables: UnsafeMutablePointer<Int32>

  /// Nil if the keys need the diagnostic path.
  ///
  /// - Parameters:
  ///   - otherPaths: The paths of the keys of other models that read the same object, if
  ///     there is a key that receives unknown members. Nil if they depend on the document.
  ///   - envelope: The path of the object.
  ///   - isStored: Whether the paths are those in structured text of a store.
  package convenience init?(
    _ keys: [FieldKey], otherPaths: @autoclosure () -> [FieldPath]?,
    envelope: FieldPath? = nil, isStored: Bool = false
  ) {
    var tree = FieldPathTrie()
    let body = tree.node(at: envelope?.components ?? [])
    var alternatives: [Range<Int>] = []
    var inlined: Set<Int> = []
    var slotCount = keys.count
    var unknownIndex = -1
    var collected: [Int: [CollectedStep]] = [:]
    for (index, key) in keys.enumerated() {
      if key.receivesUnknownMembers {
        unknownIndex = index
      } else if key.isInlined {
        inlined.insert(index)
      } else if let path = key.path(isStored: isStored) {
        guard tree.insert(path.valuePath, at: body, slot: index) else { return nil }
        if let inside = path.elementPath {
          guard let steps = CollectedStep.steps(of: inside) else { return nil }
          collected[index] = steps
        }
      }
      let paths = key.alternatives(isStored: isStored)
      for (number, path) in paths.enumerated() {
        guard tree.insert(path, at: body, slot: slotCount + number) else { return nil }
      }
      alternatives.append(slotCount..<(slotCount + paths.count))
      slotCount += paths.count
    }
    if slotCount == keys.count { alternatives = [] }
    if unknownIndex >= 0 {
      // Other keys can claim a value or leave it unknown, depending on the document.
      guard body == 0, alternatives.isEmpty, collected.isEmpty,
        let paths = otherPaths()
      else { return nil }
      // Members with a slot are known. The decoders of other models read them.
      for path in paths {
        guard tree.insert(path, at: body, slot: slotCount) else { return nil }
        slotCount += 1
      }
      guard tree.dividesObjects else { return nil }
    }
    guard let body, tree.hasDistinctHashes else { return nil }
    self.init(
      tree, body: body, keyCount: keys.count, slotCount: slotCount, alternatives: alternatives,
      inlined: inlined, collected: collected, unknownIndex: unknownIndex)
  }

  /// Creates a plan without keys.
  convenience init() {
    self.init(
      FieldPathTrie(), body: 0, keyCount: 0, slotCount: 0, alternatives: [], inlined: [])
  }

  private init(
    _ tree: FieldPathTrie, body: Int, keyCount: Int, slotCount: Int, alternatives: [Range<Int>],
    inlined: Set<Int>, collected: [Int: [CollectedStep]] = [:], unknownIndex: Int = -1
  ) {
    let layout = FieldPathTrie.Layout(tree)
    self.body = body
    self.keyCount = keyCount
    self.slotCount = slotCount
    self.alternatives = alternatives
    self.inlined = inlined
    self.collected = collected
    isPlain = alternatives.isEmpty && inlined.isEmpty && collected.isEmpty
    self.unknownIndex = unknownIndex
    paths = unknownIndex >= 0 ? tree.paths : []
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

  /// The entry of a node by the hash of its key, or -1.
  @inline(__always)
  func entry(of node: Int, hash: UInt64) -> Int {
    let node = nodes[node]
    var index = Int32(truncatingIfNeeded: hash) & node.tableMask
    while true {
      let entry = Int(tables[Int(node.table + index)])
      if entry < 0 || entries[entry].hash == hash { return entry }
      index = (index + 1) & node.tableMask
    }
  }

  /// The bytes of an entry's key in quotes with a colon.
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
