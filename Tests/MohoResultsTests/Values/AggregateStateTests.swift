import Foundation
import MohoMapping
import MohoTesting
import Testing

@testable import MohoResults
@testable import MohoRows

/// Aggregates that follow additions and removals, compared with what all remaining values
/// give.
struct AggregateStateTests {
  /// Adds and removes random values, and compares the result after each step.
  private func check(
    _ function: Aggregate.Function, _ type: ValueType, seed: UInt64,
    value: (inout SeededGenerator) -> FieldContent,
    expected: ([FieldContent]) -> FieldContent?
  ) {
    var generator = SeededGenerator(seed: seed)
    var state = AggregateState(function, of: type)
    var values: [FieldContent] = []
    for step in 0..<400 {
      // The number of values grows and shrinks, to zero at times.
      if !values.isEmpty, generator.below(100) < ((step / 50).isMultiple(of: 2) ? 30 : 75) {
        state.remove(values.remove(at: generator.below(values.count)))
      } else {
        let value = generator.oneIn(8) ? FieldContent.null : value(&generator)
        values.append(value)
        state.add(value)
      }
      if state.result == .lacksValues { state.refill(values) }
      let present = values.filter { !$0.isNull }
      let result: AggregateState.Result =
        function == .count
        ? .value(.int64(Int64(present.count)))
        : present.isEmpty && function != .distinctCount
          ? .value(.null) : expected(present).map { .value($0) } ?? .unknown
      guard state.result == result else {
        Issue.record("seed \(seed), step \(step): \(state.result) is not \(result) of \(values)")
        return
      }
    }
  }

  private static let bounds: [Int64] = [.min, .min + 1, -1, 0, 1, .max - 1, .max]

  private static func integer(_ generator: inout SeededGenerator) -> FieldContent {
    .int64(
      generator.oneIn(3)
        ? bounds[generator.below(bounds.count)] : Int64(generator.below(2_000)) - 1_000)
  }

  private func integers(_ values: [FieldContent]) -> Int128 {
    values.reduce(0) { if case .int64(let value) = $1 { $0 + Int128(value) } else { $0 } }
  }

  @Test(arguments: 0..<20 as Range<UInt64>)
  func sumsOfIntegersAreExactUntilTheyExceed64Bits(seed: UInt64) {
    check(.sum, .integer, seed: seed, value: Self.integer) {
      Int64(exactly: integers($0)).map { .int64($0) }
    }
  }

  @Test(arguments: 0..<20 as Range<UInt64>)
  func distinctCountsCountEqualValuesOnce(seed: UInt64) {
    check(.distinctCount, .double, seed: seed) { generator in
      generator.oneIn(2)
        ? .double([0.0, -0.0, 1, .infinity][generator.below(4)])
        : .double(Double(generator.below(30)))
    } expected: { values in
      let numbers = values.compactMap { if case .double(let number) = $0 { number } else { nil } }
      let sorted = numbers.sorted()
      let steps = zip(sorted, sorted.dropFirst()).filter { $0 < $1 }
      return .int64(Int64(sorted.isEmpty ? 0 : steps.count + 1))
    }
  }

  @Test(arguments: 0..<20 as Range<UInt64>)
  func averagesOfIntegersAreThoseOfTheExactSum(seed: UInt64) {
    check(.average, .integer, seed: seed, value: Self.integer) {
      .double(Double(integers($0)) / Double($0.count))
    }
  }

  /// Numbers with at most 24 bits before the point and 40 after it.
  private static func double(_ generator: inout SeededGenerator) -> (Double, Int128) {
    let bits = Int64(bitPattern: generator.next()) >> Int64(generator.below(50))
    let integer = (bits >> 11) << Int64(generator.below(11))
    return (Double(integer) / 0x1p40, Int128(integer))
  }

  @Test(arguments: 0..<40 as Range<UInt64>)
  func sumsOfDoublesAreRoundedOnce(seed: UInt64) {
    check(.sum, .double, seed: seed, value: { .double(Self.double(&$0).0) }) { values in
      // The sum as an integer is exact.
      let sum = values.reduce(Int128(0)) {
        if case .double(let value) = $1 { $0 + Int128(value * 0x1p40) } else { $0 }
      }
      return .double(Double(sum) / 0x1p40)
    }
  }

  @Test(
    arguments: [
      ([1e100, 1, -1e100], 1), ([0x1p53, 1, 0x1p-60], 0x1p53 + 2), ([0x1p53, 1, -0x1p-60], 0x1p53),
      ([.greatestFiniteMagnitude, 1, -.greatestFiniteMagnitude], 1),
      ([.leastNonzeroMagnitude, .leastNonzeroMagnitude], 0x1p-1073),
      ([-0.0], 0), ([0.1, 0.2, -0.3], 0x1p-55),
    ] as [([Double], Double)])
  func sumsLoseNothing(_ values: [Double], _ expected: Double) {
    var state = AggregateState(.sum, of: .double)
    for value in values { state.add(.double(value)) }

    #expect(state.result == .value(.double(expected)))

    for value in values { state.remove(.double(value)) }
    #expect(state.result == .value(.null))
  }

  @Test func sumsAreInfiniteWhileInfiniteNumbersArePresent() {
    var state = AggregateState(.sum, of: .double)
    state.add(.double(2))
    state.add(.double(.infinity))
    #expect(state.result == .value(.double(.infinity)))

    state.add(.double(-.infinity))
    #expect(state.result == .value(.null))

    state.remove(.double(.infinity))
    state.remove(.double(-.infinity))
    #expect(state.result == .value(.double(2)))
  }

  @Test func sumsThatExceedTheGreatestNumberAreInfiniteUntilTheyDoNot() {
    var state = AggregateState(.sum, of: .double)
    for _ in 0..<3 { state.add(.double(.greatestFiniteMagnitude)) }
    #expect(state.result == .value(.double(.infinity)))

    for _ in 0..<2 { state.remove(.double(.greatestFiniteMagnitude)) }
    #expect(state.result == .value(.double(.greatestFiniteMagnitude)))
  }

  private static func decimal(_ generator: inout SeededGenerator) -> FieldContent {
    let digits = generator.below(38) + 1
    let text = (0..<digits).map { _ in "\(generator.below(10))" }.joined()
    return .decimal(Decimal(string: "\(text)e\(generator.below(30) - 20)") ?? 0)
  }

  @Test(arguments: 0..<10 as Range<UInt64>)
  func sumsAndAveragesOfDecimalsAreThoseOfAllValues(seed: UInt64) {
    func sum(_ values: [FieldContent]) -> FieldContent? {
      var sum = ExactDecimal.zero
      for case .decimal(let value) in values { sum = sum + ExactDecimal(value) }
      return sum.decimal.map { .decimal($0) }
    }
    check(.sum, .decimal, seed: seed, value: Self.decimal, expected: sum)
    check(.average, .decimal, seed: seed, value: Self.decimal) { values in
      sum(values).map { Arithmetic.divide.result($0, .int64(Int64(values.count))) }
    }
  }

  /// Of many values, only the first ones are known.
  @Test func aGroupLacksNoValuesIfTheOthersWereRemoved() {
    var state = AggregateState(.minimum, of: .integer)
    for value in 0..<33 as Range<Int64> { state.add(.int64(value)) }
    for value in 16..<33 as Range<Int64> { state.remove(.int64(value)) }
    state.add(.int64(50))
    for value in 0..<16 as Range<Int64> { state.remove(.int64(value)) }

    #expect(state.result == .value(.int64(50)))
  }

  @Test(arguments: 0..<20 as Range<UInt64>)
  func extremesAreTheFirstAndLastOfTheSortedValues(seed: UInt64) {
    let texts = ["", "a", "é", "e\u{301}", "Z", "ab", "a\0", "日"]
    for function in [Aggregate.Function.minimum, .maximum] {
      func expected(_ values: [FieldContent]) -> FieldContent? {
        let sorted = values.sorted { ($0.order($1) ?? 0) < 0 }
        return function == .minimum ? sorted.first : sorted.last
      }
      check(
        function, .integer, seed: seed, value: { .int64(Int64($0.below(60))) },
        expected: expected)
      check(function, .string, seed: seed, value: { .string(texts[$0.below(texts.count)]) }) {
        expected($0)
      }
    }
    check(.count, .integer, seed: seed, value: Self.integer) { _ in nil }
  }
}
