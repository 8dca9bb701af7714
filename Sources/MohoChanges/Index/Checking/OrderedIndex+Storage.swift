extension OrderedIndex {
  /// The storage of an index: where each of its arrays is and how many bytes
  /// it takes. For tests that weigh indexes and what they share.
  package struct Storage {
    /// The bytes by the address of the array.
    private(set) var arrays: [UInt: Int] = [:]
    private(set) var leaves: Set<UInt> = []

    /// All bytes.
    package var bytes: Int { arrays.values.reduce(0, +) }

    /// The bytes that this storage does not share with another one.
    package func bytes(beside other: Storage) -> Int {
      arrays.reduce(0) { other.arrays[$1.key] == nil ? $0 + $1.value : $0 }
    }

    /// The number of leaves that this storage does not share with another one.
    package func leaves(beside other: Storage) -> Int { leaves.subtracting(other.leaves).count }

    /// Adds what another storage has.
    package mutating func formUnion(_ other: Storage) {
      arrays.merge(other.arrays) { mine, _ in mine }
      leaves.formUnion(other.leaves)
    }

    // An array has a header of 32 bytes, and 8 of the allocator.
    @discardableResult
    fileprivate mutating func add<Element>(_ array: [Element]) -> UInt? {
      guard array.capacity > 0 else { return nil }
      // SAFETY: The address is a name, nothing is read through it.
      let address = array.withUnsafeBufferPointer { UInt(bitPattern: $0.baseAddress) }
      arrays[address] = array.capacity * MemoryLayout<Element>.stride + 40
      return address
    }

    fileprivate mutating func add(leaf: RowLeaf) {
      if let address = add(leaf.rows) { leaves.insert(address) }
    }
  }

  /// The storage of the index. Texts of section keys are not counted.
  package var storage: Storage {
    var storage = Storage()
    storage.add(tree.blocks.chunks)
    for chunk in tree.blocks.chunks { storage.add(chunk) }
    for block in tree.blocks {
      storage.add(block)
      for leaf in block { storage.add(leaf: leaf) }
    }
    storage.add(tree.starts)
    storage.add(tree.homes)
    storage.add(tree.freeNumbers)
    storage.add(tree.locator.groups.chunks)
    for chunk in tree.locator.groups.chunks { storage.add(chunk) }
    for group in tree.locator.groups {
      storage.add(group)
      for bucket in group { storage.add(bucket) }
    }
    storage.add(sections.blocks)
    for block in sections.blocks {
      storage.add(block.keys)
      storage.add(block.counts)
    }
    storage.add(sections.starts)
    return storage
  }
}
