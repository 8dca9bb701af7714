/// Row identities in order, found by position and by identity.
///
/// Rows are kept in leaves, leaves in blocks. All of it is plain arrays, so a
/// copy shares everything, and a change of a copy copies the leaf, the list of
/// leaves of its block and the list of some blocks.
///
/// Three facts lead from an identity to a position: the locator names the leaf,
/// `homes` the block of the leaf, `starts` the rows before the block.
///
/// - Complexity: Look-ups are O(log *n*). A change adds O(*n* / 2,000) for the
///   rows before each block; a split or a join of leaves, once in some hundred changes,
///   the look-up of each row that gets another leaf.
struct RowTree: Sendable {
  /// Where a row is kept.
  struct Place {
    var block: Int
    var leaf: Int
    var offset: Int
  }

  /// The most leaves of a block.
  static let blockCapacity = 16
  /// The leaves of a block in a newly built tree.
  static let blockFill = 12
  /// A block with fewer leaves looks for a neighbor to join.
  static let blockLow = 4

  var blocks: ChunkedArray<[RowLeaf]>
  /// The number of rows before each block, then the number of all rows.
  var starts: [Int]
  /// The block of each leaf by the leaf's number, -1 for numbers not in use.
  var homes: [Int32]
  /// Numbers that leaves had and have no longer.
  var freeNumbers: [Int32]
  var locator: LeafLocator

  /// - Complexity: O(*n*).
  init(_ leaves: consuming RowLeaves) {
    let leaves = leaves.finish()
    blocks = ChunkedArray(
      stride(from: 0, to: leaves.count, by: Self.blockFill).map { first in
        Array(leaves[first..<min(first + Self.blockFill, leaves.count)])
      })
    starts = []
    homes = Array(repeating: -1, count: leaves.count)
    freeNumbers = []
    locator = LeafLocator(blocks)
    renumberBlocks()
  }

  var count: Int { starts[blocks.count] }

  /// Makes `starts` and `homes` what the blocks say, after a change of the list
  /// of blocks.
  mutating func renumberBlocks() {
    starts.removeAll(keepingCapacity: true)
    var start = 0
    for (number, block) in blocks.enumerated() {
      starts.append(start)
      for leaf in block {
        start += leaf.count
        homes[leaf.number] = Int32(truncatingIfNeeded: number)
      }
    }
    starts.append(start)
  }
}
