import MohoMapping

/// The tree of the paths of a plan while it grows.
struct ScanTree {
  private struct Node {
    /// Whether it is an array; nil as long as nothing leads through it.
    var isArray: Bool?
    var parts: [Part] = []
  }

  private struct Part {
    let step: FieldPath.Component
    var slot: Int?
    var child: Int?

    var bytes: [UInt8] {
      if case .key(let key) = step { Array(key.utf8) } else { [] }
    }

    /// The hash of the key; the index of an element.
    var hash: UInt64 {
      if case .index(let index) = step { return UInt64(index) }
      return bytes.withUnsafeBufferPointer { KeyHashes.hash($0) }
    }
  }

  private var nodes = [Node()]

  /// The node that some steps lead to from the root; nil where they are none that
  /// a scanner can take.
  mutating func node(at steps: [FieldPath.Component]) -> Int? {
    var node = 0
    for step in steps {
      guard let part = part(step, of: node) else { return nil }
      node = child(of: part, in: node)
    }
    return node
  }

  /// Adds a path from a node.
  ///
  /// - Returns: Whether it is one that a scanner can take.
  mutating func insert(_ path: FieldPath, at root: Int?, slot: Int) -> Bool {
    guard var node = root, let last = path.components.last else { return false }
    for step in path.components.dropLast() {
      guard let part = part(step, of: node) else { return false }
      node = child(of: part, in: node)
    }
    guard let part = part(last, of: node), nodes[node].parts[part].slot == nil else {
      return false
    }
    nodes[node].parts[part].slot = slot
    return true
  }

  /// Whether keys of one object are told apart by their hashes.
  var hasDistinctHashes: Bool {
    nodes.allSatisfy { Set($0.parts.map(\.hash)).count == $0.parts.count }
  }

  private mutating func part(_ step: FieldPath.Component, of node: Int) -> Int? {
    let isArray: Bool
    switch step {
    case .key: isArray = false
    case .index(let index) where index >= 0: isArray = true
    case .index, .each: return nil
    }
    guard nodes[node].isArray ?? isArray == isArray else { return nil }
    nodes[node].isArray = isArray
    let known = nodes[node].parts.firstIndex { part in
      switch (part.step, step) {
      case (.key(let one), .key(let other)): one.utf8.elementsEqual(other.utf8)
      default: part.step == step
      }
    }
    if let known { return known }
    nodes[node].parts.append(Part(step: step))
    return nodes[node].parts.count - 1
  }

  private mutating func child(of part: Int, in node: Int) -> Int {
    if let child = nodes[node].parts[part].child { return child }
    nodes.append(Node())
    nodes[node].parts[part].child = nodes.count - 1
    return nodes.count - 1
  }
}

extension ScanTree {
  /// A tree in arrays, as a plan has it.
  struct Layout {
    private(set) var nodes: [ScanPlan.Node] = []
    private(set) var entries: [ScanPlan.Entry] = []
    private(set) var slotsBelow: [Int32] = []
    private(set) var names: [UInt64] = []
    private(set) var tables: [Int32] = []

    init(_ tree: ScanTree) {
      for node in tree.nodes {
        let firstEntry = entries.count
        for part in node.parts { append(part) }
        let firstBelow = slotsBelow.count
        slotsBelow += tree.slots(below: node).map { Int32($0) }
        let firstTable = tables.count
        let tableSize = appendTable(of: firstEntry..<entries.count)
        nodes.append(
          ScanPlan.Node(
            isArray: node.isArray == true,
            entries: Int32(firstEntry)..<Int32(entries.count),
            below: Int32(firstBelow)..<Int32(slotsBelow.count),
            table: Int32(firstTable), tableMask: Int32(tableSize - 1)))
      }
    }

    private mutating func append(_ part: Part) {
      var bytes = part.bytes
      let isLiteral = bytes.allSatisfy {
        $0 >= 0x20 && $0 != UInt8(ascii: "\"") && $0 != UInt8(ascii: "\\")
      }
      bytes.append(UInt8(ascii: "\""))
      entries.append(
        ScanPlan.Entry(
          hash: part.hash, name: Int32(names.count), length: Int32(bytes.count),
          isLiteral: isLiteral, slot: Int32(part.slot ?? -1), child: Int32(part.child ?? -1)))
      for start in stride(from: 0, to: bytes.count, by: 8) {
        var word: UInt64 = 0
        for (number, byte) in bytes[start..<min(start + 8, bytes.count)].enumerated() {
          word |= UInt64(byte) << (UInt64(number) * 8)
        }
        names.append(word.littleEndian)
      }
    }

    /// Appends a hash table of some entries, at most half full.
    private mutating func appendTable(of range: Range<Int>) -> Int {
      var size = 2
      while size < range.count * 2 { size *= 2 }
      let first = tables.count
      tables += Array(repeating: -1, count: size)
      for entry in range {
        var place = Int(truncatingIfNeeded: entries[entry].hash) & (size - 1)
        while tables[first + place] >= 0 { place = (place + 1) & (size - 1) }
        tables[first + place] = Int32(entry)
      }
      return size
    }
  }

  private func slots(below node: Node) -> [Int] {
    node.parts.flatMap { part in
      [part.slot].compactMap { $0 } + (part.child.map { slots(below: nodes[$0]) } ?? [])
    }
  }
}
