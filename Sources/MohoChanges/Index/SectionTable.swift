/// The keys and row counts of the sections of a list, in order.
///
/// Sections are stored in blocks, so that the cost of a changed row count
/// hardly depends on the number of sections. The table allows empty sections.
/// The index decides whether it has any.
///
/// - Complexity: Lookups are O(log *s*) for *s* sections. A change adds O(*s* /
///   100) for the list of blocks.
struct SectionTable: Sendable {
  struct Block: Sendable {
    var keys: [SectionKey]
    var counts: [Int]
  }

  /// The numbers of sections and rows before a block.
  struct BlockStart: Sendable {
    var sections = 0
    var rows = 0
  }

  /// The maximum number of sections per block.
  private static let capacity = 128
  /// The number of sections per block in a newly built table.
  private static let initialCount = 96

  var blocks: [Block]
  /// The start of each block. The last element has the totals.
  var blockStarts: [BlockStart] = []

  init(keys: [SectionKey], counts: [Int]) {
    blocks = stride(from: 0, to: keys.count, by: Self.initialCount).map { first in
      let range = first..<min(first + Self.initialCount, keys.count)
      return Block(keys: Array(keys[range]), counts: Array(counts[range]))
    }
    rebuildBlockStarts()
  }

  var count: Int { blockStarts[blocks.count].sections }
  var rowCount: Int { blockStarts[blocks.count].rows }
  var indices: Range<Int> { 0..<count }

  /// The keys of all sections.
  ///
  /// - Complexity: O(*s*).
  var keys: [SectionKey] {
    var keys: [SectionKey] = []
    keys.reserveCapacity(count)
    for block in blocks { keys += block.keys }
    return keys
  }

  /// Returns the key of a section, which must exist.
  func key(of section: Int) -> SectionKey {
    let (block, offset) = location(of: section)
    return blocks[block].keys[offset]
  }

  /// Returns the number of rows of a section, which must exist.
  func rowCount(of section: Int) -> Int {
    let (block, offset) = location(of: section)
    return blocks[block].counts[offset]
  }

  /// Returns the number of rows before a section, which must exist.
  func rowStart(of section: Int) -> Int {
    let (block, offset) = location(of: section)
    return blocks[block].counts[..<offset].reduce(blockStarts[block].rows, +)
  }

  /// Returns the path of the row at a position, which must be in bounds.
  func path(at position: Int) -> RowPath {
    let block = block { $0.rows <= position }
    var row = position - blockStarts[block].rows
    var offset = 0
    while row >= blocks[block].counts[offset] {
      row -= blocks[block].counts[offset]
      offset += 1
    }
    return RowPath(section: blockStarts[block].sections + offset, row: row)
  }

  /// Returns the index of the section with a key, or `nil` if it does not
  /// exist.
  ///
  /// - Complexity: O(*s*).
  func section(with key: SectionKey) -> Int? {
    for (number, block) in blocks.enumerated() {
      if let offset = block.keys.firstIndex(of: key) {
        return blockStarts[number].sections + offset
      }
    }
    return nil
  }

  /// Adds `difference`, which may be negative, to the row count of a section.
  mutating func addRows(_ difference: Int, to section: Int) {
    let (block, offset) = location(of: section)
    blocks[block].counts[offset] += difference
    for next in (block + 1)..<blockStarts.count { blockStarts[next].rows += difference }
  }

  /// Inserts an empty section. `section` may be `count`.
  mutating func insert(_ key: SectionKey, at section: Int) {
    if blocks.isEmpty { blocks.append(Block(keys: [], counts: [])) }
    var (block, offset) = section > 0 ? location(of: section - 1) : (0, -1)
    offset += 1
    blocks[block].keys.insert(key, at: offset)
    blocks[block].counts.insert(0, at: offset)
    if blocks[block].keys.count > Self.capacity {
      let middle = Self.capacity / 2
      let tail = Block(
        keys: Array(blocks[block].keys[middle...]), counts: Array(blocks[block].counts[middle...]))
      blocks[block].keys.removeSubrange(middle...)
      blocks[block].counts.removeSubrange(middle...)
      blocks.insert(tail, at: block + 1)
    }
    rebuildBlockStarts()
  }

  /// Removes a section, which must be empty.
  mutating func remove(_ section: Int) {
    let (block, offset) = location(of: section)
    blocks[block].keys.remove(at: offset)
    blocks[block].counts.remove(at: offset)
    if blocks[block].keys.isEmpty { blocks.remove(at: block) }
    rebuildBlockStarts()
  }

  private mutating func rebuildBlockStarts() {
    var start = BlockStart()
    blockStarts = [start]
    for block in blocks {
      start.sections += block.keys.count
      start.rows = block.counts.reduce(start.rows, +)
      blockStarts.append(start)
    }
  }

  private func location(of section: Int) -> (block: Int, offset: Int) {
    let block = block { $0.sections <= section }
    return (block, section - blockStarts[block].sections)
  }

  /// Returns the last block whose start satisfies a predicate, by binary
  /// search.
  private func block(where isReached: (BlockStart) -> Bool) -> Int {
    var low = 0
    var high = blocks.count
    while high - low > 1 {
      let middle = low + (high - low) / 2
      if isReached(blockStarts[middle]) { low = middle } else { high = middle }
    }
    return low
  }
}
