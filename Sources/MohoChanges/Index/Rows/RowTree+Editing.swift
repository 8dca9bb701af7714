extension RowTree {
  /// Inserts a row at a position, which may be `count`.
  mutating func insert(_ rowID: Int64, at position: Int) {
    let location = insertionLocation(at: position)
    blocks[location.block][location.leaf].insert(rowID, at: location.offset)
    shiftBlockStarts(after: location.block, by: 1)
    rowIDIndex.insert(rowID, leaf: blocks[location.block][location.leaf].number)
    rebuildRowIDIndexIfNeeded()
  }

  /// Removes the row at a location.
  mutating func remove(at location: Location) {
    let rowID = blocks[location.block][location.leaf].remove(at: location.offset)
    shiftBlockStarts(after: location.block, by: -1)
    rowIDIndex.remove(rowID, leaf: blocks[location.block][location.leaf].number)
    mergeOrRemoveLeaf(at: location)
    rebuildRowIDIndexIfNeeded()
  }

  private mutating func shiftBlockStarts(after block: Int, by difference: Int) {
    for next in (block + 1)..<blockStarts.count { blockStarts[next] += difference }
  }

  private mutating func rebuildRowIDIndexIfNeeded() {
    if rowIDIndex.needsRebuild { rowIDIndex = RowIDHashIndex(blocks) }
  }

  /// Returns the location to insert a row at, in a leaf that is not full.
  /// Splits a leaf or adds one if necessary.
  private mutating func insertionLocation(at position: Int) -> Location {
    if blocks.isEmpty {
      blocks.insert([], at: blocks.startIndex)
      return insertLeaf([], at: Location(block: 0, leaf: 0, offset: 0))
    }
    var location =
      position > 0 ? location(at: position - 1) : Location(block: 0, leaf: 0, offset: -1)
    location.offset += 1
    guard blocks[location.block][location.leaf].isFull else { return location }

    if location.offset == 0 { return insertLeaf([], at: location) }
    if location.offset < RowLeaf.capacity { return splitLeaf(at: location) }
    // Rows that are inserted in ascending order fill one leaf after another.
    location.leaf += 1
    location.offset = 0
    let hasRoom =
      location.leaf < blocks[location.block].count && !blocks[location.block][location.leaf].isFull
    return hasRoom ? location : insertLeaf([], at: location)
  }
}
