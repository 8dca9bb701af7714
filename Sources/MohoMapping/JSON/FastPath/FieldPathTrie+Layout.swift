extension FieldPathTrie {
  /// The trie in contiguous arrays, as a plan has it.
  struct Layout {
    private(set) var nodes: [FieldScanPlan.Node] = []
    private(set) var entries: [FieldScanPlan.Entry] = []
    private(set) var slotsBelow: [Int32] = []
    private(set) var names: [UInt64] = []
    private(set) var tables: [Int32] = []

    init(_ tree: FieldPathTrie) {
      for node in tree.nodes {
        let firstEntry = entries.count
        for part in node.parts { append(part) }
        let firstBelow = slotsBelow.count
        slotsBelow += tree.slots(below: node).map { Int32($0) }
        let firstTable = tables.count
        let tableSize = appendTable(of: firstEntry..<entries.count)
        nodes.append(
          FieldScanPlan.Node(
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
      bytes = Array("\"".utf8) + bytes + Array("\":".utf8)
      entries.append(
        FieldScanPlan.Entry(
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
        var index = Int(truncatingIfNeeded: entries[entry].hash) & (size - 1)
        while tables[first + index] >= 0 { index = (index + 1) & (size - 1) }
        tables[first + index] = Int32(entry)
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
