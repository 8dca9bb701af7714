extension OrderedIndex {
  /// The allocations of an index, by address and size. Tests use it to measure
  /// indexes and the storage that they share.
  package struct Storage {
    /// The size of each array buffer in bytes, by its address.
    private(set) var arrays: [UInt: Int] = [:]
    /// The addresses of the row buffers of leaves.
    private(set) var leaves: Set<UInt> = []

    /// The total size in bytes.
    package var bytes: Int { arrays.values.reduce(0, +) }

    /// The number of bytes that this storage does not share with another one.
    package func bytes(notSharedWith other: Storage) -> Int {
      arrays.reduce(0) { other.arrays[$1.key] == nil ? $0 + $1.value : $0 }
    }

    /// The number of leaves that this storage does not share with another one.
    package func leafCount(notSharedWith other: Storage) -> Int {
      leaves.subtracting(other.leaves).count
    }

    /// Adds the allocations of another storage.
    package mutating func formUnion(_ other: Storage) {
      arrays.merge(other.arrays) { mine, _ in mine }
      leaves.formUnion(other.leaves)
    }

    // An array buffer has a header of 32 bytes and an allocator overhead of 8
    // bytes.
    @discardableResult
    fileprivate mutating func add<Element>(_ array: [Element]) -> UInt? {
      guard array.capacity > 0 else { return nil }
      // SAFETY: The address identifies the buffer. Nothing is read through it.
      let address = array.withUnsafeBufferPointer { UInt(bitPattern: $0.baseAddress) }
      arrays[address] = array.capacity * MemoryLayout<Element>.stride + 40
      return address
    }

    fileprivate mutating func add(leaf: RowLeaf) {
      if let address = add(leaf.rows) { leaves.insert(address) }
    }
  }

  /// The number of blocks of rows. An update computes the first positions of the blocks
  /// after a changed row again.
  package var blockCount: Int { tree.blocks.count }

  /// The allocations of the index, without the text of section keys.
  package var storage: Storage {
    var storage = Storage()
    storage.add(tree.blocks.chunks)
    for chunk in tree.blocks.chunks { storage.add(chunk) }
    for block in tree.blocks {
      storage.add(block)
      for leaf in block { storage.add(leaf: leaf) }
    }
    storage.add(tree.blockStarts)
    storage.add(tree.leafBlocks)
    storage.add(tree.freeLeafNumbers)
    storage.add(tree.rowIDIndex.groups.chunks)
    for chunk in tree.rowIDIndex.groups.chunks { storage.add(chunk) }
    for group in tree.rowIDIndex.groups {
      storage.add(group)
      for bucket in group { storage.add(bucket) }
    }
    storage.add(sections.blocks)
    for block in sections.blocks {
      storage.add(block.keys)
      storage.add(block.counts)
    }
    storage.add(sections.blockStarts)
    return storage
  }
}
