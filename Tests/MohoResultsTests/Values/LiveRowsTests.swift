import MohoMapping
import MohoTesting
import Testing

@testable import MohoResults
@testable import MohoRows

/// Rows that are inserted, replaced and removed, and the aggregates of their groups.
struct LiveRowsTests {
  typealias Groups = GroupRequest<RowRequest>

  /// Groups by a text and an integer; counts rows and values, sums, and finds extremes.
  private static func request(keyCount: Int) -> Groups {
    RowRequest("Row").grouped(by: { Array([$0["genre"], $0["rank"]].prefix(keyCount)) }) {
      [.count, .count($0["a"]), .sum($0["a"]), .minimum($0["b"])]
    }
  }

  private static func live(_ request: Groups) throws -> OrderedGroups {
    let (keyCount, aggregates) = (request.aggregates.keys.count, request.aggregates.aggregates)
    let positions = [nil, keyCount, keyCount, keyCount + 1]
    let computation = LiveRows.Computation(
      keyCount: keyCount,
      aggregates: zip(aggregates, positions).map { aggregate, position in
        LiveRows.Computation.Column(aggregate: aggregate, type: .integer, position: position)
      },
      valueCount: keyCount + 2)
    let order = try GroupOrder(
      request.aggregates,
      [.string, .integer].prefix(keyCount) + aggregates.map { _ in .integer }, Schema([]))
    return OrderedGroups(LiveRows(computation), order, names: request.aggregates.names)
  }

  /// The groups of some rows, computed from all of them.
  private func groups(_ rows: [Int64: [FieldContent]], keyCount: Int) -> [[FieldContent]] {
    var groups = Dictionary(grouping: rows.values) { Array($0.prefix(keyCount)) }
    if keyCount == 0 && groups.isEmpty { groups[[]] = [] }
    func integers(_ rows: [[FieldContent]], _ position: Int) -> [Int64] {
      rows.compactMap { if case .int64(let value) = $0[keyCount + position] { value } else { nil } }
    }
    return groups.map { key, rows in
      let (sums, others) = (integers(rows, 0), integers(rows, 1))
      return key + [
        .int64(Int64(rows.count)), .int64(Int64(sums.count)),
        sums.isEmpty ? .null : .int64(sums.reduce(0, +)),
        others.min().map { .int64($0) } ?? .null,
      ]
    }
    .sorted { one, other in
      for (one, other) in zip(one, other).prefix(keyCount) where one != other {
        return one.isNull || !other.isNull && one.precedes(other)
      }
      return false
    }
  }

  @Test(arguments: 0..<12 as Range<UInt64>)
  func groupsAreThoseOfTheRowsAfterEachChange(seed: UInt64) throws {
    let keyCount = Int(seed % 3)
    var generator = SeededGenerator(seed: seed)
    var rows: [Int64: [FieldContent]] = [:]
    var live = try Self.live(Self.request(keyCount: keyCount))
    for step in 0..<600 {
      for _ in 0..<(generator.oneIn(20) ? 40 : 2) {
        let row = Int64(generator.below(80))
        if generator.below(100) < ((step / 100).isMultiple(of: 2) ? 30 : 70) {
          #expect(live.rows.remove(row) == (rows.removeValue(forKey: row) != nil))
        } else {
          let keys: [FieldContent] = [
            generator.oneIn(5) ? .null : .string("\(generator.below(4))"),
            .int64(Int64(generator.below(3))),
          ]
          let values =
            keys.prefix(keyCount)
            + (0..<2).map { _ in
              generator.oneIn(4) ? FieldContent.null : .int64(Int64(generator.below(200)) - 100)
            }
          rows[row] = Array(values)
          live.rows.set(row, Array(values))
        }
      }
      if generator.oneIn(3) { continue }
      let expected = groups(rows, keyCount: keyCount)
      guard live.rows.count == rows.count, try live.result()?.map(\.values) == expected else {
        Issue.record("seed \(seed), step \(step): \(live.snapshot.rows) is not \(expected)")
        return
      }
    }
  }

  /// A request with conditions, orderings, an offset and a limit, and the same for values.
  private struct Case {
    var request: Groups
    var includes: ([FieldContent]) -> Bool = { _ in true }
    var column: Int?
    var isDescending = false
    var areNilsFirst = true
    var offset = 0
    var limit = Int.max

    func rows(_ groups: [[FieldContent]]) -> [[FieldContent]] {
      // The groups are sorted by their keys.
      let sorted = groups.filter(includes).enumerated().sorted { one, other in
        guard let column else { return one.offset < other.offset }
        let (left, right) = (one.element[column], other.element[column])
        if left == right { return one.offset < other.offset }
        if left.isNull || right.isNull { return left.isNull == areNilsFirst }
        return isDescending ? right.precedes(left) : left.precedes(right)
      }
      return sorted.map(\.element).dropFirst(offset).prefix(limit).map { $0 }
    }
  }

  private static var cases: [Case] {
    let all = request(keyCount: 2)
    let count: ([FieldContent]) -> Int64 = { $0[2].integer.map { Int64($0) } ?? 0 }
    return [
      Case(request: all),
      Case(request: all.having { _ in .count > 2 }, includes: { count($0) > 2 }),
      Case(
        request: all.order(.descending) { .sum($0["a"]) }, column: 4, isDescending: true,
        areNilsFirst: false),
      Case(request: all.order { .minimum($0["b"]) }.limit(5), column: 5, limit: 5),
      Case(
        request: all.having { .sum($0["a"]) == nil || !(.count < 2) }
          .order(.descending, nils: .first) { .sum($0["a"]) }.offset(3).limit(4),
        includes: { $0[4].isNull || count($0) >= 2 }, column: 4, isDescending: true, offset: 3,
        limit: 4),
      Case(
        request: all.order(.descending, by: { $0["rank"] }), column: 1, isDescending: true,
        areNilsFirst: false),
      Case(request: all.order { _ in .count }.offset(60), column: 2, offset: 60),
      Case(request: all.limit(0), limit: 0),
    ]
  }

  @Test(arguments: 0..<24 as Range<UInt64>)
  func groupsAreInOrderAndTheirChangesAreExact(seed: UInt64) throws {
    let cases = Self.cases
    let tested = cases[Int(seed) % cases.count]
    var generator = SeededGenerator(seed: seed)
    var rows: [Int64: [FieldContent]] = [:]
    var live = try Self.live(tested.request)
    let names = tested.column.map { [tested.request.aggregates.names[$0]] } ?? []
    var consumers = Array(repeating: GroupsConsumer(orderedBy: names.first ?? ""), count: 2)
    for step in 0..<400 {
      if generator.oneIn(40) {
        // All rows are read again.
        live.rows.removeAll(storingValues: true)
        for (row, values) in rows { live.rows.set(row, values) }
      }
      for _ in 0..<(generator.oneIn(20) ? 60 : 1 + generator.below(2)) {
        let row = Int64(generator.below(250))
        if generator.oneIn((step / 100).isMultiple(of: 2) ? 4 : 2) {
          live.rows.remove(row)
          rows[row] = nil
        } else {
          let values: [FieldContent] = [
            generator.oneIn(9) ? .null : .string(["a", "A", "b", "é", "e\u{301}"][Int(row) % 5]),
            .int64(Int64(generator.below(generator.oneIn(3) ? 20 : 2))),
            generator.oneIn(4) ? .null : .int64(Int64(generator.below(40)) - 20),
            generator.oneIn(4) ? .null : .int64(Int64(generator.below(9))),
          ]
          live.rows.set(row, values)
          rows[row] = values
        }
      }
      let expected = tested.rows(groups(rows, keyCount: 2))
      if generator.oneIn(30) {
        // Values that were read by a statement.
        let all = groups(rows, keyCount: 2)
        try live.set(
          all.map { ValueRow(names: tested.request.aggregates.names, values: $0) })
      } else {
        _ = try live.result()
      }
      do {
        try require(
          live.snapshot.rows.map(\.values) == expected, "\(live.snapshot.rows) is not \(expected)")
        try consumers[0].receive(live.snapshot)
        if generator.oneIn(12) { try consumers[1].receive(live.snapshot) }
      } catch {
        Issue.record("seed \(seed), step \(step): \(error)")
        return
      }
    }
  }

  @Test func anUnknownValueIsKnownAgainWithoutItsCause() throws {
    var live = try Self.live(Self.request(keyCount: 0))
    live.rows.set(1, [.int64(.max), .null])
    live.rows.set(2, [.int64(1), .null])
    #expect(try live.result() == nil)
    #expect(try live.result() == nil)

    live.rows.remove(2)
    #expect(
      try live.result()?.first?.values == [.int64(1), .int64(1), .int64(.max), .null])
  }

  @Test func groupsThatAppearAfterAStatementFoundOneToBeGoneAreDistinct() throws {
    var live = try Self.live(Self.request(keyCount: 1))
    live.rows.set(1, [.string("a"), .null, .null])
    let first = try live.result()
    live.rows.remove(1)
    try live.set([])
    let second = try live.result()
    live.rows.set(2, [.string("b"), .null, .null])
    live.rows.set(3, [.string("c"), .null, .null])
    let third = try live.result()

    #expect(first?.map { $0.values[0] } == [.string("a")])
    #expect(second?.isEmpty == true)
    #expect(third?.map { $0.values[0] } == [.string("b"), .string("c")])
  }
}

extension OrderedGroups {
  /// The values of the groups. Nil if a value does not follow from the rows.
  fileprivate mutating func result() throws -> [ValueRow]? {
    try update() ? snapshot.rows : nil
  }
}
