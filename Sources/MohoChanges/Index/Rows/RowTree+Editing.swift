extension RowTree {
  /// Puts a row at a position, which may be the one behind the last row.
  mutating func insert(_ rowID: Int64, at position: Int) {
    let place = roomyPlace(forInsertAt: position)
    blocks[place.block][place.leaf].insert(rowID, at: place.offset)
    addToStarts(behind: place.block, 1)
    locator.insert(rowID, leaf: blocks[place.block][place.leaf].number)
    rebuildLocatorIfOutgrown()
  }

  /// Takes out the row that is kept at a place.
  mutating func remove(at place: Place) {
    let rowID = blocks[place.block][place.leaf].remove(at: place.offset)
    addToStarts(behind: place.block, -1)
    locator.remove(rowID, leaf: blocks[place.block][place.leaf].number)
    shrink(place)
    rebuildLocatorIfOutgrown()
  }

  private mutating func addToStarts(behind block: Int, _ difference: Int) {
    for next in (block + 1)..<starts.count { starts[next] += difference }
  }

  private mutating func rebuildLocatorIfOutgrown() {
    if locator.isOutgrown { locator = LeafLocator(blocks) }
  }

  /// The place for a new row, in a leaf that has room.
  private mutating func roomyPlace(forInsertAt position: Int) -> Place {
    if blocks.isEmpty {
      blocks.append([])
      return insertLeaf([], at: Place(block: 0, leaf: 0, offset: 0))
    }
    var place = position > 0 ? place(at: position - 1) : Place(block: 0, leaf: 0, offset: -1)
    place.offset += 1
    guard blocks[place.block][place.leaf].isFull else { return place }

    if place.offset == 0 { return insertLeaf([], at: place) }
    if place.offset < RowLeaf.capacity { return split(place) }
    // Rows that come one after the other fill one leaf after the other.
    place.leaf += 1
    place.offset = 0
    let hasRoom = place.leaf < blocks[place.block].count && !blocks[place.block][place.leaf].isFull
    return hasRoom ? place : insertLeaf([], at: place)
  }
}
