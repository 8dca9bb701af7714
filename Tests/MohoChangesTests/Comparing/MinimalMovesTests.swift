import MohoChanges
import MohoTesting
import Testing

@Suite struct MinimalMovesTests {
  private func check(_ transition: Transition, _ origin: String = "") {
    let moves = transition.changes.rows.filter(\.isMove)
    let minimum = transition.minimalMoveCount
    #expect(moves.count == minimum, "\(transition) \(origin)\n\(transition.changes)")
    let defect = transition.defect()
    #expect(defect == nil, "\(transition) \(origin)")
    if transition.isConsistent {
      let updated = Result { try transition.updated() }
      #expect(throws: Never.self) { try updated.get() }
      #expect((try? updated.get())?.changes == transition.changes, "\(transition) \(origin)")
      #expect((try? updated.get())?.index == transition.new, "\(transition) \(origin)")
    }
  }

  @Test(arguments: 0...5)
  func moveCountIsMinimalForAllPermutations(count: Int) {
    let rows = (0..<count).map { Int64($0) }
    let old = OrderedIndex(rowIDs: rows)
    for order in permutations(of: rows) {
      let new = OrderedIndex(rowIDs: order)
      for touched in subsets(of: rows) {
        let keys = Dictionary(uniqueKeysWithValues: touched.map { ($0, ["title"]) })
        check(Transition(old: old, new: new, changedKeys: keys))
      }
    }
  }

  @Test func moveCountIsMinimalForAllDivisionsIntoSections() throws {
    let rows: [Int64] = [1, 2, 3]
    for division in divisions(of: rows) {
      for order in permutations(of: rows) {
        for laterDivision in divisions(of: order) {
          for touched in subsets(of: rows) {
            let keys = Dictionary(uniqueKeysWithValues: touched.map { ($0, [String]()) })
            check(Transition(old: division, new: laterDivision, changedKeys: keys))
          }
        }
      }
    }
  }

  @Test(arguments: 1...10 as ClosedRange<UInt64>)
  func moveCountIsMinimalForRandomLists(seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    for step in 0..<60 {
      let count = 6 + generator.below(3)
      let rows = (0..<count).map { Int64($0) }
      let old = rows.shuffled(using: &generator).dropLast(generator.below(3))
      let new = rows.shuffled(using: &generator).dropLast(generator.below(3))
      let touched = rows.filter { _ in generator.below(2) == 0 }
      let keys = Dictionary(uniqueKeysWithValues: touched.map { ($0, ["title"]) })
      let transition = Transition(
        old: randomDivision(of: Array(old), &generator),
        new: randomDivision(
          of: restoringUntouchedOrder(Array(new), like: old, touched), &generator),
        changedKeys: keys)
      check(transition, "seed \(seed) step \(step)")
    }
  }

  /// Returns the new rows with the untouched rows in their old order.
  private func restoringUntouchedOrder(
    _ new: [Int64], like old: ArraySlice<Int64>, _ touched: [Int64]
  ) -> [Int64] {
    var untouchedRows = old.filter { new.contains($0) && !touched.contains($0) }.makeIterator()
    let isUntouched = { (row: Int64) in old.contains(row) && !touched.contains(row) }
    return new.map { isUntouched($0) ? untouchedRows.next() ?? $0 : $0 }
  }

  private func randomDivision(
    of rows: [Int64], _ generator: inout SeededGenerator
  ) -> OrderedIndex {
    let all = divisions(of: rows) + [OrderedIndex(rowIDs: rows)]
    return all[generator.below(all.count)]
  }

  /// All ways to divide the rows into at most three sections A, B and C.
  private func divisions(of rows: [Int64]) -> [OrderedIndex] {
    (0...rows.count).flatMap { first in
      (first...rows.count).compactMap { second in
        var builder = OrderedIndex.Builder(sectioned: true)
        for (position, row) in rows.enumerated() {
          let key = position < first ? "A" : position < second ? "B" : "C"
          do { try builder.append(row, section: .text(key)) } catch { return nil }
        }
        return builder.finish()
      }
    }
  }
}
