import MohoChanges
import MohoTesting
import Testing

@Suite struct RandomListTests {
  @Test(arguments: 1...20 as ClosedRange<UInt64>)
  func tableFollowsAListThroughAThousandSteps(seed: UInt64) throws {
    var list = RandomList(seed: seed)
    var index = try list.index()
    var rows = SimulatedTable<Int>.Rows(index) { list.version(of: $0) }
    var table = SimulatedTable(rows: rows)

    for step in 0..<1_000 {
      let changedKeys = list.mutate()
      let laterIndex = try list.index()
      let laterRows = SimulatedTable<Int>.Rows(laterIndex) { list.version(of: $0) }
      let changes = ChangeSet(from: index, to: laterIndex, changedKeys: changedKeys)

      do {
        try table.perform(
          changes.batchPlan, before: rows, after: laterRows, mode: [.strict, .minimal])
      } catch {
        let transition = Transition(old: index, new: laterIndex, changedKeys: changedKeys)
        Issue.record("seed \(seed) step \(step): \(error)\n\(transition)\n\(changes)")
        return
      }
      #expect(table.cells == laterRows, "seed \(seed) step \(step)")
      (index, rows) = (laterIndex, laterRows)
    }
    #expect(table.renderCount > 0)
  }
}

/// A sectioned list of rows that are inserted, deleted, edited and reordered.
private struct RandomList {
  private struct Row {
    var section: Int
    var order: Int
    var version = 0
  }

  private var generator: SeededGenerator
  private var rows: [Int64: Row] = [:]
  private var sectionRanks = Array(0..<6)
  private var nextID: Int64 = 1

  init(seed: UInt64) {
    generator = SeededGenerator(seed: seed)
    for _ in 0..<15 { insert() }
  }

  func version(of rowID: Int64) -> Int {
    rows[rowID]?.version ?? -1
  }

  func index() throws -> OrderedIndex {
    var builder = OrderedIndex.Builder(sectioned: true)
    let sorted = rows.sorted {
      let left = (sectionRanks[$0.value.section], $0.value.order, $0.key)
      let right = (sectionRanks[$1.value.section], $1.value.order, $1.key)
      return left < right
    }
    for (rowID, row) in sorted {
      try builder.append(rowID, section: .integer(Int64(row.section)))
    }
    return builder.finish()
  }

  /// Changes a few rows, and answers what the owner of the list would know.
  mutating func mutate() -> [Int64: [String]] {
    var changed: [Int64: Set<String>] = [:]
    if generator.below(40) == 0 { rows.removeAll() }
    if generator.below(25) == 0 { sectionRanks.shuffle(using: &generator) }
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
    return changed.mapValues { keys in
      keys.contains("content") ? keys.subtracting(["content"]).sorted() : []
    }
  }

  private mutating func insert() {
    rows[nextID] = Row(section: generator.below(6), order: generator.below(20))
    nextID += 1
  }

  private mutating func delete() {
    if let rowID = randomRow() { rows[rowID] = nil }
  }

  // An edit counts as one of the content where the version went up; otherwise
  // only the place of the row may be different.
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
