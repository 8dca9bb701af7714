/// Row IDs in order, with lookups by position and by row ID.
///
/// Rows are stored in leaves, and leaves in blocks. All levels are arrays, so a
/// copy shares all storage. A change of a copy duplicates one leaf, the list of
/// leaves of its block and one chunk of the list of blocks.
///
/// A lookup by row ID has three steps: `rowIDIndex` gives the leaf,
/// `leafBlocks` the block of the leaf, and `blockStarts` the number of rows
/// before the block.
///
/// - Complexity: Lookups are O(log *n*). A change adds O(*n* / 2,000) for
///   `blockStarts`. A split or a merge, once in some hundred changes, adds a
///   hash index lookup for each row that moves to another leaf.
struct RowTree: Sendable {
  /// The location of a row: the index of its block, of its leaf within the
  /// block, and its offset within the leaf.
  struct Location {
    var block: Int
    var leaf: Int
    var offset: Int
  }

  /// The maximum number of leaves per block.
  static let blockCapacity = 16
  /// The number of leaves per block in a newly built tree.
  static let blockInitialCount = 12
  /// A block with fewer leaves is merged with a neighbor if possible.
  static let blockMergeThreshold = 4

  var blocks: ChunkedArray<[RowLeaf]>
  /// The number of rows before each block. The last element is the number of
  /// all rows.
  var blockStarts: [Int]
  /// The index of the block of each leaf, by leaf number. -1 for free numbers.
  var leafBlocks: [Int32]
  /// Numbers of removed leaves, for reuse.
  var freeLeafNumbers: [Int32]
  /// The leaf number of each row.
  var rowIDIndex: RowIDHashIndex

  /// - Complexity: O(*n*).
  init(_ leaves: consuming RowLeafBuilder) {
    let leaves = leaves.finish()
    blocks = ChunkedArray(
      stride(from: 0, to: leaves.count, by: Self.blockInitialCount).map { first in
        Array(leaves[first..<min(first + Self.blockInitialCount, leaves.count)])
      })
    blockStarts = []
    leafBlocks = Array(repeating: -1, count: leaves.count)
    freeLeafNumbers = []
    rowIDIndex = RowIDHashIndex(blocks)
    rebuildBlockTables()
  }

  var count: Int { blockStarts[blocks.count] }

  /// Recomputes `blockStarts` and `leafBlocks` after a change of the list of
  /// blocks.
  mutating func rebuildBlockTables() {
    blockStarts.removeAll(keepingCapacity: true)
    var start = 0
    for (number, block) in blocks.enumerated() {
      blockStarts.append(start)
      for leaf in block {
        start += leaf.count
        leafBlocks[leaf.number] = Int32(truncatingIfNeeded: number)
      }
    }
    blockStarts.append(start)
  }
}
