extension RowTree {
  /// Inserts a leaf before the one at a location, and returns the location of
  /// the new leaf.
  mutating func insertLeaf(_ rows: [Int64], at location: Location) -> Location {
    var location = location
    let number: Int
    if let free = freeLeafNumbers.popLast() {
      number = Int(free)
    } else {
      number = leafBlocks.count
      leafBlocks.append(-1)
    }
    leafBlocks[number] = Int32(truncatingIfNeeded: location.block)
    blocks[location.block].insert(RowLeaf(number: number, rows: rows), at: location.leaf)

    let leafCount = blocks[location.block].count
    if leafCount > Self.blockCapacity {
      let middle = leafCount / 2
      let tail = Array(blocks[location.block][middle...])
      blocks[location.block] = Array(blocks[location.block][..<middle])
      blocks.insert(tail, at: location.block + 1)
      if location.leaf >= middle {
        location.block += 1
        location.leaf -= middle
      }
      rebuildBlockTables()
    } else if blockStarts.count <= blocks.count {
      rebuildBlockTables()
    }
    return location
  }

  /// Splits a full leaf, and returns the insertion location that corresponds to
  /// `location`.
  mutating func splitLeaf(at location: Location) -> Location {
    let old = blocks[location.block][location.leaf].number
    let middle = blocks[location.block][location.leaf].count / 2
    let tail = blocks[location.block][location.leaf].removeSuffix(from: middle)
    let second = insertLeaf(
      tail, at: Location(block: location.block, leaf: location.leaf + 1, offset: 0))
    let new = blocks[second.block][second.leaf].number
    for rowID in tail { rowIDIndex.move(rowID, from: old, to: new) }

    if location.offset > middle {
      return Location(block: second.block, leaf: second.leaf, offset: location.offset - middle)
    }
    // The first half directly precedes the second one, possibly at the end of
    // the previous block.
    return second.leaf > 0
      ? Location(block: second.block, leaf: second.leaf - 1, offset: location.offset)
      : Location(
        block: second.block - 1, leaf: blocks[second.block - 1].count - 1, offset: location.offset)
  }

  /// Removes an empty leaf. Merges a leaf below `RowLeaf.mergeThreshold` with a
  /// neighbor of its block if both fit into a leaf of `RowLeaf.initialCount`
  /// rows.
  mutating func mergeOrRemoveLeaf(at location: Location) {
    let count = blocks[location.block][location.leaf].count
    guard count < RowLeaf.mergeThreshold else { return }
    if count == 0 { return removeLeaf(at: location) }

    for neighbor in [location.leaf + 1, location.leaf - 1]
    where blocks[location.block].indices.contains(neighbor)
      && blocks[location.block][neighbor].count + count <= RowLeaf.initialCount
    {
      return mergeLeaves(min(location.leaf, neighbor), in: location.block)
    }
  }

  /// Merges a leaf with the next one of its block. The larger leaf remains, so
  /// that fewer entries of the hash index change.
  private mutating func mergeLeaves(_ leaf: Int, in block: Int) {
    let (first, second) = (blocks[block][leaf], blocks[block][leaf + 1])
    let (larger, smaller) = first.count >= second.count ? (first, second) : (second, first)
    for rowID in smaller.rows { rowIDIndex.move(rowID, from: smaller.number, to: larger.number) }
    if larger.number == first.number {
      blocks[block][leaf].append(second.rows)
    } else {
      blocks[block][leaf + 1].prepend(first.rows)
    }
    removeLeaf(
      at: Location(block: block, leaf: larger.number == first.number ? leaf + 1 : leaf, offset: 0))
  }

  private mutating func removeLeaf(at location: Location) {
    let number = blocks[location.block].remove(at: location.leaf).number
    leafBlocks[number] = -1
    freeLeafNumbers.append(Int32(truncatingIfNeeded: number))

    let leafCount = blocks[location.block].count
    guard leafCount < Self.blockMergeThreshold else { return }
    if leafCount == 0 {
      blocks.remove(at: location.block)
      return rebuildBlockTables()
    }
    for neighbor in [location.block + 1, location.block - 1]
    where blocks.indices.contains(neighbor)
      && blocks[neighbor].count + leafCount <= Self.blockInitialCount
    {
      let first = min(location.block, neighbor)
      blocks[first] += blocks[first + 1]
      blocks.remove(at: first + 1)
      return rebuildBlockTables()
    }
  }
}
