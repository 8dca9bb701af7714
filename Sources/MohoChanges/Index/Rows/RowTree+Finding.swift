extension RowTree {
  /// The ID of the row at a position, which must be in bounds.
  subscript(position: Int) -> Int64 {
    let location = location(at: position)
    return blocks[location.block][location.leaf].rows[location.offset]
  }

  /// Returns the position of a row, or `nil` if the row is not in the tree.
  func position(of rowID: Int64) -> Int? {
    location(of: rowID).map { position(of: $0) }
  }

  func position(of location: Location) -> Int {
    var position = blockStarts[location.block] + location.offset
    for leaf in 0..<location.leaf { position += blocks[location.block][leaf].count }
    return position
  }

  /// Returns the location of the row at a position, which must be in bounds.
  func location(at position: Int) -> Location {
    var low = 0
    var high = blocks.count
    while high - low > 1 {
      let middle = low + (high - low) / 2
      if blockStarts[middle] <= position { low = middle } else { high = middle }
    }
    var offset = position - blockStarts[low]
    var leaf = 0
    while offset >= blocks[low][leaf].count {
      offset -= blocks[low][leaf].count
      leaf += 1
    }
    return Location(block: low, leaf: leaf, offset: offset)
  }

  /// Returns the location of a row, or `nil` if the row is not in the tree.
  func location(of rowID: Int64) -> Location? {
    rowIDIndex.firstMatch(for: rowID, leafNumbers: leafBlocks.count) { number in
      let block = Int(leafBlocks[number])
      guard block >= 0,
        let leaf = blocks[block].firstIndex(where: { $0.number == number }),
        let offset = blocks[block][leaf].rows.firstIndex(of: rowID)
      else { return nil }
      return Location(block: block, leaf: leaf, offset: offset)
    }
  }
}
