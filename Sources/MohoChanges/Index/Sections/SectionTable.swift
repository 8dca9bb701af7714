/// The sections of a list in order: their keys and how many rows they have.
///
/// Sections are kept in blocks, so that one row more costs the same with ten
/// sections and with ten thousand. The table lets sections be empty; whether
/// they may is up to the index.
///
/// - Complexity: Look-ups are O(log *s*). A change adds O(*s* / 100) for the
///   list of blocks.
struct SectionTable: Sendable {
  struct Block: Sendable {
    var keys: [SectionKey]
    var counts: [Int]
  }

  /// How much stands before a block.
  struct Start: Sendable {
    var sections = 0
    var rows = 0
  }

  private static let capacity = 128
  private static let fill = 96

  private(set) var blocks: [Block]
  /// What stands before each block, then all there is.
  private(set) var starts: [Start] = []

  init(keys: [SectionKey], counts: [Int]) {
    blocks = stride(from: 0, to: keys.count, by: Self.fill).map { first in
      let range = first..<min(first + Self.fill, keys.count)
      return Block(keys: Array(keys[range]), counts: Array(counts[range]))
    }
    renumber()
  }

  var count: Int { starts[blocks.count].sections }
  var rowCount: Int { starts[blocks.count].rows }
  var indices: Range<Int> { 0..<count }

  /// All keys.
  ///
  /// - Complexity: O(*s*).
  var keys: [SectionKey] {
    var keys: [SectionKey] = []
    keys.reserveCapacity(count)
    for block in blocks { keys += block.keys }
    return keys
  }

  /// The key of a section that exists.
  func key(of section: Int) -> SectionKey {
    let (block, offset) = place(of: section)
    return blocks[block].keys[offset]
  }

  /// The number of rows of a section that exists.
  func rowCount(of section: Int) -> Int {
    let (block, offset) = place(of: section)
    return blocks[block].counts[offset]
  }

  /// The number of rows before a section that exists.
  func rowStart(of section: Int) -> Int {
    let (block, offset) = place(of: section)
    return blocks[block].counts[..<offset].reduce(starts[block].rows, +)
  }

  /// The path of the row at a position that exists.
  func path(at position: Int) -> RowPath {
    let block = block { $0.rows <= position }
    var row = position - starts[block].rows
    var offset = 0
    while row >= blocks[block].counts[offset] {
      row -= blocks[block].counts[offset]
      offset += 1
    }
    return RowPath(section: starts[block].sections + offset, row: row)
  }

  /// The section with a key, `nil` if there is none.
  ///
  /// - Complexity: O(*s*).
  func section(with key: SectionKey) -> Int? {
    for (number, block) in blocks.enumerated() {
      if let offset = block.keys.firstIndex(of: key) { return starts[number].sections + offset }
    }
    return nil
  }

  /// Counts rows that came to a section or, if negative, left it.
  mutating func addRows(_ difference: Int, to section: Int) {
    let (block, offset) = place(of: section)
    blocks[block].counts[offset] += difference
    for next in (block + 1)..<starts.count { starts[next].rows += difference }
  }

  /// Puts a section without rows before another one, or behind all.
  mutating func insert(_ key: SectionKey, at section: Int) {
    if blocks.isEmpty { blocks.append(Block(keys: [], counts: [])) }
    var (block, offset) = section > 0 ? place(of: section - 1) : (0, -1)
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
    renumber()
  }

  /// Takes out a section, which must be without rows.
  mutating func remove(_ section: Int) {
    let (block, offset) = place(of: section)
    blocks[block].keys.remove(at: offset)
    blocks[block].counts.remove(at: offset)
    if blocks[block].keys.isEmpty { blocks.remove(at: block) }
    renumber()
  }

  private mutating func renumber() {
    var start = Start()
    starts = [start]
    for block in blocks {
      start.sections += block.keys.count
      start.rows = block.counts.reduce(start.rows, +)
      starts.append(start)
    }
  }

  private func place(of section: Int) -> (block: Int, offset: Int) {
    let block = block { $0.sections <= section }
    return (block, section - starts[block].sections)
  }

  /// The last block that is not beyond what is looked for.
  private func block(where isReached: (Start) -> Bool) -> Int {
    var low = 0
    var high = blocks.count
    while high - low > 1 {
      let middle = low + (high - low) / 2
      if isReached(starts[middle]) { low = middle } else { high = middle }
    }
    return low
  }
}
