extension RowTree {
  /// A description of the first violated invariant, or `nil` if the tree is
  /// valid.
  ///
  /// - Complexity: O(*n*) lookups.
  var invariantViolation: String? {
    let leaves = blocks.joined()
    if blocks.contains(where: { $0.isEmpty || $0.count > Self.blockCapacity }) {
      return "blocks have \(blocks.map(\.count)) leaves"
    }
    let isWrong: (RowLeaf) -> Bool = {
      $0.count == 0 || $0.count > RowLeaf.capacity || $0.count != $0.rows.count
    }
    if leaves.contains(where: isWrong) { return "leaves have \(leaves.map(\.count)) rows" }
    return leafNumberViolation ?? blockStartViolation ?? rowIDIndexViolation
  }

  private var leafNumberViolation: String? {
    let numbers = blocks.joined().map(\.number)
    if Set(numbers).count != numbers.count { return "leaf numbers repeat: \(numbers)" }
    let free = freeLeafNumbers.map { Int($0) }
    if Set(numbers + free) != Set(leafBlocks.indices)
      || numbers.count + free.count != leafBlocks.count
    {
      return "leaf numbers are \(numbers), free are \(free) of \(leafBlocks.count)"
    }
    for (number, block) in blocks.enumerated() {
      for leaf in block where leafBlocks[leaf.number] != number {
        return "leaf \(leaf.number) is in block \(number), expected \(leafBlocks[leaf.number])"
      }
    }
    return free.allSatisfy { leafBlocks[$0] == -1 } ? nil : "a free leaf number has a block"
  }

  private var blockStartViolation: String? {
    var expected = [0]
    for block in blocks {
      expected.append(block.reduce(expected[expected.count - 1]) { $0 + $1.count })
    }
    return blockStarts == expected ? nil : "blocks start at \(blockStarts), expected at \(expected)"
  }

  private var rowIDIndexViolation: String? {
    let buckets = rowIDIndex.groups.joined()
    guard rowIDIndex.count == count, buckets.reduce(0, { $0 + $1.count }) == count else {
      return "row ID index has \(rowIDIndex.count) rows, not \(count)"
    }
    guard buckets.count * 256 >= count else {
      return "row ID index has \(buckets.count) buckets for \(count) rows"
    }
    var position = 0
    for leaf in blocks.joined() {
      for rowID in leaf.rows {
        guard self.position(of: rowID) == position, self[position] == rowID else {
          return "row \(rowID) not found at position \(position)"
        }
        position += 1
      }
    }
    return nil
  }
}
