extension RowTree {
  /// Makes a leaf before the one at a place, and answers where it is.
  mutating func insertLeaf(_ rows: [Int64], at place: Place) -> Place {
    var place = place
    let number: Int
    if let free = freeNumbers.popLast() {
      number = Int(free)
    } else {
      number = homes.count
      homes.append(-1)
    }
    homes[number] = Int32(truncatingIfNeeded: place.block)
    blocks[place.block].insert(RowLeaf(number: number, rows: rows), at: place.leaf)

    let leafCount = blocks[place.block].count
    if leafCount > Self.blockCapacity {
      let kept = leafCount / 2
      let tail = Array(blocks[place.block][kept...])
      blocks[place.block] = Array(blocks[place.block][..<kept])
      blocks.insert(tail, at: place.block + 1)
      if place.leaf >= kept {
        place.block += 1
        place.leaf -= kept
      }
      renumberBlocks()
    } else if starts.count <= blocks.count {
      renumberBlocks()
    }
    return place
  }

  /// Cuts a full leaf in two, and answers where the place has come to be.
  mutating func split(_ place: Place) -> Place {
    let old = blocks[place.block][place.leaf].number
    let middle = blocks[place.block][place.leaf].count / 2
    let tail = blocks[place.block][place.leaf].cut(from: middle)
    let second = insertLeaf(
      tail, at: Place(block: place.block, leaf: place.leaf + 1, offset: 0))
    let new = blocks[second.block][second.leaf].number
    for rowID in tail { locator.move(rowID, from: old, to: new) }

    if place.offset > middle {
      return Place(block: second.block, leaf: second.leaf, offset: place.offset - middle)
    }
    // The first half stands before the second, perhaps in the block before.
    return second.leaf > 0
      ? Place(block: second.block, leaf: second.leaf - 1, offset: place.offset)
      : Place(
        block: second.block - 1, leaf: blocks[second.block - 1].count - 1, offset: place.offset)
  }

  /// Lets go of a leaf that has become empty, and joins one that has become
  /// small with a neighbor where both fit into one leaf with room to spare.
  mutating func shrink(_ place: Place) {
    let count = blocks[place.block][place.leaf].count
    guard count < RowLeaf.low else { return }
    if count == 0 { return removeLeaf(place) }

    for neighbor in [place.leaf + 1, place.leaf - 1]
    where blocks[place.block].indices.contains(neighbor)
      && blocks[place.block][neighbor].count + count <= RowLeaf.fill
    {
      return join(min(place.leaf, neighbor), in: place.block)
    }
  }

  /// Joins a leaf with the next one of its block; the larger one stays.
  private mutating func join(_ leaf: Int, in block: Int) {
    let (first, second) = (blocks[block][leaf], blocks[block][leaf + 1])
    let (kept, gone) = first.count >= second.count ? (first, second) : (second, first)
    for rowID in gone.rows { locator.move(rowID, from: gone.number, to: kept.number) }
    if kept.number == first.number {
      blocks[block][leaf].append(second.rows)
    } else {
      blocks[block][leaf + 1].prepend(first.rows)
    }
    removeLeaf(
      Place(block: block, leaf: kept.number == first.number ? leaf + 1 : leaf, offset: 0))
  }

  private mutating func removeLeaf(_ place: Place) {
    let number = blocks[place.block].remove(at: place.leaf).number
    homes[number] = -1
    freeNumbers.append(Int32(truncatingIfNeeded: number))

    let leafCount = blocks[place.block].count
    guard leafCount < Self.blockLow else { return }
    if leafCount == 0 {
      blocks.remove(at: place.block)
      return renumberBlocks()
    }
    for neighbor in [place.block + 1, place.block - 1]
    where blocks.indices.contains(neighbor)
      && blocks[neighbor].count + leafCount <= Self.blockFill
    {
      let first = min(place.block, neighbor)
      blocks[first] += blocks[first + 1]
      blocks.remove(at: first + 1)
      return renumberBlocks()
    }
  }
}
