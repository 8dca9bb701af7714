extension RowTree {
  /// What is wrong with the tree, `nil` if nothing is.
  ///
  /// - Complexity: O(*n*) look-ups.
  var defect: String? {
    let leaves = blocks.joined()
    if blocks.contains(where: { $0.isEmpty || $0.count > Self.blockCapacity }) {
      return "blocks have \(blocks.map(\.count)) leaves"
    }
    if leaves.contains(where: { $0.count == 0 || $0.count > RowLeaf.capacity }) {
      return "leaves have \(leaves.map(\.count)) rows"
    }
    if leaves.contains(where: { $0.count != $0.rows.count }) { return "a leaf counts wrongly" }
    return defectOfNumbers ?? defectOfStarts ?? defectOfLocator
  }

  private var defectOfNumbers: String? {
    let numbers = blocks.joined().map(\.number)
    if Set(numbers).count != numbers.count { return "leaves share numbers \(numbers)" }
    let free = freeNumbers.map { Int($0) }
    if Set(numbers + free) != Set(homes.indices) || numbers.count + free.count != homes.count {
      return "leaves have numbers \(numbers), free are \(free) of \(homes.count)"
    }
    for (number, block) in blocks.enumerated() {
      for leaf in block where homes[leaf.number] != number {
        return "leaf \(leaf.number) is in block \(number), expected in \(homes[leaf.number])"
      }
    }
    return free.allSatisfy { homes[$0] == -1 } ? nil : "a free number has a block"
  }

  private var defectOfStarts: String? {
    var expected = [0]
    for block in blocks {
      expected.append(block.reduce(expected[expected.count - 1]) { $0 + $1.count })
    }
    return starts == expected ? nil : "blocks start at \(starts), expected at \(expected)"
  }

  private var defectOfLocator: String? {
    guard locator.count == count else { return "locator has \(locator.count) rows, not \(count)" }
    let buckets = locator.groups.joined()
    guard buckets.count * 256 >= count else {
      return "locator has \(buckets.count) buckets for \(count) rows"
    }
    guard buckets.reduce(0, { $0 + $1.count }) == count else { return "locator counts wrongly" }
    var position = 0
    for leaf in blocks.joined() {
      for rowID in leaf.rows {
        guard self.position(of: rowID) == position, self[position] == rowID else {
          return "row \(rowID) is not found at \(position)"
        }
        position += 1
      }
    }
    return nil
  }
}
