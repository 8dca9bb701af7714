import MohoChanges
import MohoTesting

/// A list whose rows are randomly inserted, deleted, edited and reordered.
struct RandomList {
  private struct Row {
    var section: Int
    var order: Int
    var version = 0
  }

  /// The names of all keys, in declaration order.
  static let keys = ["order", "section", "title"]

  private(set) var generator: SeededGenerator
  private var rows: [Int64: Row] = [:]
  private let isSectioned: Bool
  // The rows that the last mutation inserted, deleted or edited.
  private var touched: Set<Int64> = []
  private var sectionRanks = Array(0..<6)
  private var nextID: Int64 = 1

  init(seed: UInt64, sectioned: Bool = true) {
    generator = SeededGenerator(seed: seed)
    isSectioned = sectioned
    for _ in 0..<15 { insert() }
  }

  func version(of rowID: Int64) -> Int {
    rows[rowID]?.version ?? -1
  }

  /// Builds the index of all rows.
  func index() throws -> OrderedIndex {
    var builder = OrderedIndex.Builder(sectioned: isSectioned)
    for (rowID, row) in sorted {
      try builder.append(rowID, section: .integer(Int64(row.section)))
    }
    return builder.finish()
  }

  /// The arguments of an update for the last mutation: the removed rows, and
  /// the placements of all other touched rows.
  mutating func placements(
    _ changedKeys: [Int64: [String]]
  ) -> (removed: [Int64], placements: [RowPlacement]) {
    // Both forms of predecessors are valid.
    let namesUntouched = generator.oneIn(2)
    var placements: [RowPlacement] = []
    var last: Int64?
    for (rowID, row) in sorted {
      if touched.contains(rowID) {
        placements.append(
          RowPlacement(
            rowID, after: last, section: .integer(Int64(row.section)),
            changedKeys: changedKeys[rowID] ?? []))
        if namesUntouched { continue }
      }
      last = rowID
    }
    return (touched.filter { rows[$0] == nil }.shuffled(using: &generator), placements)
  }

  private var sorted: [(key: Int64, value: Row)] {
    rows.sorted {
      let left = (isSectioned ? sectionRanks[$0.value.section] : 0, $0.value.order, $0.key)
      let right = (isSectioned ? sectionRanks[$1.value.section] : 0, $1.value.order, $1.key)
      return left < right
    }
  }

  /// Changes a few rows, and returns the changed keys that the owner of the
  /// list would know.
  mutating func mutate() -> [Int64: [String]] {
    var changed: [Int64: Set<String>] = [:]
    touched = []
    if generator.below(40) == 0 {
      touched = Set(rows.keys)
      rows.removeAll()
    }
    if generator.below(25) == 0 { moveSections(&changed) }
    for _ in 0..<generator.below(7) {
      switch generator.below(6) {
      case 0 where rows.count > 4: delete()
      case 0, 1: if rows.count < 30 { insert() }
      case 2: edit(&changed, "title") { row, _ in row.version += 1 }
      case 3: edit(&changed, "order") { row, generator in row.order = generator.below(20) }
      case 4: edit(&changed, "section") { row, generator in row.section = generator.below(6) }
      default:
        edit(&changed, "order") { row, generator in
          row.order = generator.below(20)
          row.version += 1
        }
      }
    }
    if generator.below(30) == 0 { reverse(&changed) }
    if generator.below(10) == 0 { reinsert(&changed) }
    touched.formUnion(changed.keys)
    return changed.mapValues { keys in
      keys.contains("content") ? keys.subtracting(["content"]).sorted() : []
    }
  }

  private mutating func insert() {
    rows[nextID] = Row(section: generator.below(6), order: generator.below(20))
    touched.insert(nextID)
    nextID += 1
  }

  private mutating func delete() {
    guard let rowID = randomRow() else { return }
    rows[rowID] = nil
    touched.insert(rowID)
  }

  // Inserts a deleted row again, with the same ID.
  private mutating func reinsert(_ changed: inout [Int64: Set<String>]) {
    let rowID = Int64(1 + generator.below(Int(nextID) - 1))
    guard rows[rowID] == nil, !touched.contains(rowID), rows.count < 30 else { return }
    touched.insert(rowID)
    rows[rowID] = Row(
      section: generator.below(6), order: generator.below(20), version: generator.below(1 << 30))
  }

  // Moves one section, or shuffles all of them. Touches all rows of the moved
  // sections.
  private mutating func moveSections(_ changed: inout [Int64: Set<String>]) {
    let section = generator.below(6)
    let moved: [Int64]
    if generator.oneIn(3) {
      sectionRanks.shuffle(using: &generator)
      moved = Array(rows.keys)
    } else {
      let rank = sectionRanks[section]
      let other = generator.below(6)
      for index in sectionRanks.indices where index != section {
        if sectionRanks[index] > rank { sectionRanks[index] -= 1 }
        if sectionRanks[index] >= other { sectionRanks[index] += 1 }
      }
      sectionRanks[section] = other
      moved = rows.keys.filter { rows[$0]?.section == section }
    }
    for rowID in moved { changed[rowID, default: []].insert("order") }
  }

  // Counts as a content change only if the version increases. Otherwise, only
  // the position of the row can change.
  private mutating func edit(
    _ changed: inout [Int64: Set<String>], _ key: String,
    _ change: (inout Row, inout SeededGenerator) -> Void
  ) {
    guard let rowID = randomRow(), var row = rows[rowID] else { return }
    let version = row.version
    change(&row, &generator)
    rows[rowID] = row
    changed[rowID, default: []].insert(key)
    if row.version > version { changed[rowID, default: []].insert("content") }
  }

  private mutating func reverse(_ changed: inout [Int64: Set<String>]) {
    for rowID in rows.keys {
      rows[rowID]?.order *= -1
      changed[rowID, default: []].insert("order")
    }
  }

  private mutating func randomRow() -> Int64? {
    rows.keys.sorted().randomElement(using: &generator)
  }
}
