extension RowTree {
  /// The identity of the row at a position that exists.
  subscript(position: Int) -> Int64 {
    let place = place(at: position)
    return blocks[place.block][place.leaf].rows[place.offset]
  }

  /// How many rows stand before a row, `nil` if it is not in the tree.
  func position(of rowID: Int64) -> Int? {
    place(of: rowID).map { position(of: $0) }
  }

  func position(of place: Place) -> Int {
    var position = starts[place.block] + place.offset
    for leaf in 0..<place.leaf { position += blocks[place.block][leaf].count }
    return position
  }

  /// Where the row at a position that exists is kept.
  func place(at position: Int) -> Place {
    var low = 0
    var high = blocks.count
    while high - low > 1 {
      let middle = low + (high - low) / 2
      if starts[middle] <= position { low = middle } else { high = middle }
    }
    var offset = position - starts[low]
    var leaf = 0
    while offset >= blocks[low][leaf].count {
      offset -= blocks[low][leaf].count
      leaf += 1
    }
    return Place(block: low, leaf: leaf, offset: offset)
  }

  /// Where a row is kept, `nil` if it is not in the tree.
  func place(of rowID: Int64) -> Place? {
    locator.first(rowID, leafNumbers: homes.count) { number in
      let block = Int(homes[number])
      guard block >= 0,
        let leaf = blocks[block].firstIndex(where: { $0.number == number }),
        let offset = blocks[block][leaf].rows.firstIndex(of: rowID)
      else { return nil }
      return Place(block: block, leaf: leaf, offset: offset)
    }
  }
}
