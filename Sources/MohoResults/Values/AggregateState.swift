package import MohoMapping

/// The value of an aggregate, which follows from the values of a group of rows as they are
/// added and removed.
///
/// Sums are exact: the result does not depend on the order of additions and removals, and
/// is rounded once.
package struct AggregateState: Sendable {
  package enum Result: Sendable, Equatable {
    case value(FieldContent)
    /// The smallest or greatest values were removed. The remaining values must be
    /// passed to ``AggregateState/refill(_:)``.
    case lacksValues
    /// The state cannot represent the value. A statement must compute it, or throw its
    /// error.
    case unknown
  }

  private enum Values {
    case uncounted
    case integers(Int128)
    case decimals(ExactDecimal)
    case doubles(ExactDoubleSum)
    case extremes(ExtremeValues)
  }

  private let isAverage: Bool
  private let isCount: Bool
  private var values: Values
  /// The number of values that are not null.
  private var count = 0

  /// - Parameter type: The type of the values.
  package init(_ function: Aggregate.Function, of type: ValueType) {
    isAverage = function == .average
    isCount = function == .count
    values =
      switch function {
      case .count: .uncounted
      case .minimum: .extremes(ExtremeValues(isAscending: true))
      case .maximum: .extremes(ExtremeValues(isAscending: false))
      case .sum, .average:
        switch type {
        case .double: .doubles(ExactDoubleSum())
        case .decimal: .decimals(.zero)
        default: .integers(0)
        }
      }
  }

  /// Adds the value of a row. Null has no effect.
  package mutating func add(_ value: FieldContent) {
    if value.isNull { return }
    count += 1
    switch values {
    case .uncounted: break
    case .integers(let sum): values = .integers(sum + (value.integer ?? 0))
    case .decimals(let sum): values = .decimals(sum + value.exactDecimal)
    case .doubles(var sum):
      values = .uncounted
      sum.add(value.double)
      values = .doubles(sum)
    case .extremes(var extremes):
      values = .uncounted
      extremes.add(value)
      values = .extremes(extremes)
    }
  }

  /// Removes the value of a row, which has been added before.
  package mutating func remove(_ value: FieldContent) {
    if value.isNull { return }
    count -= 1
    switch values {
    case .uncounted: break
    case .integers(let sum): values = .integers(sum - (value.integer ?? 0))
    case .decimals(let sum): values = .decimals(sum + -value.exactDecimal)
    case .doubles(var sum):
      values = .uncounted
      sum.remove(value.double)
      values = .doubles(sum)
    case .extremes(var extremes):
      values = .uncounted
      extremes.remove(value)
      values = .extremes(extremes)
    }
  }

  /// Finds the smallest or greatest values again after the result was
  /// ``Result/lacksValues``.
  ///
  /// - Parameter all: All values of the group.
  package mutating func refill(_ all: some Sequence<FieldContent>) {
    guard case .extremes(var extremes) = values else { return }
    values = .uncounted
    extremes.removeAll()
    for value in all where !value.isNull { extremes.add(value) }
    values = .extremes(extremes)
  }

  package var result: Result {
    if isCount { return .value(.int64(Int64(count))) }
    if count == 0 { return .value(.null) }
    return switch values {
    case .uncounted: .value(.null)
    case .integers(let sum): Self.result(sum, dividedBy: isAverage ? count : nil)
    case .decimals(let sum): Self.result(sum, dividedBy: isAverage ? count : nil)
    case .doubles(let sum): Self.result(sum, dividedBy: isAverage ? count : nil)
    case .extremes(let extremes): extremes.first.map { .value($0) } ?? .lacksValues
    }
  }

  private static func result(_ sum: Int128, dividedBy count: Int?) -> Result {
    if let count { return .value(.double(Double(sum) / Double(count))) }
    // A statement throws the error of an overflow.
    return Int64(exactly: sum).map { .value(.int64($0)) } ?? .unknown
  }

  private static func result(_ sum: ExactDecimal, dividedBy count: Int?) -> Result {
    guard let sum = sum.decimal else { return .unknown }
    guard let count else { return .value(.decimal(sum)) }
    return .value(Arithmetic.divide.result(.decimal(sum), .int64(Int64(count))))
  }

  private static func result(_ sum: ExactDoubleSum, dividedBy count: Int?) -> Result {
    // Infinities of both signs have no sum.
    sum.value.isNaN
      ? .value(.null) : .value(.double(count.map { sum.value / Double($0) } ?? sum.value))
  }
}

extension FieldContent {
  fileprivate var integer: Int128? {
    switch self {
    case .int64(let value): Int128(value)
    case .uint64(let value): Int128(value)
    default: nil
    }
  }

  fileprivate var exactDecimal: ExactDecimal {
    if case .decimal(let value) = self { ExactDecimal(value) } else { .zero }
  }

  fileprivate var double: Double { if case .double(let value) = self { value } else { 0 } }
}

/// The smallest or greatest values of a group that are known.
///
/// Values beyond the known ones are only counted, so that a group takes little memory.
private struct ExtremeValues: Sendable {
  /// The number of values after which the last ones are forgotten.
  private static let limit = 32

  private let isAscending: Bool
  /// The known values, in order. No other value precedes one of them.
  private var known: [FieldContent] = []
  /// The number of values that are not known.
  private var others = 0

  init(isAscending: Bool) { self.isAscending = isAscending }

  /// The first value, or nil if it is not known.
  var first: FieldContent? { known.first }

  mutating func add(_ value: FieldContent) {
    let position = position(of: value)
    // The place of the value among unknown values is not known.
    if position == known.count && others > 0 {
      others += 1
      return
    }
    known.insert(value, at: position)
    guard known.count > Self.limit else { return }
    others += known.count - Self.limit / 2
    known.removeSubrange((Self.limit / 2)...)
  }

  mutating func remove(_ value: FieldContent) {
    let position = position(of: value)
    if position < known.count && !precedes(value, known[position]) {
      known.remove(at: position)
    } else {
      others -= 1
    }
  }

  mutating func removeAll() {
    known = []
    others = 0
  }

  /// The index of the first known value that does not precede a value.
  private func position(of value: FieldContent) -> Int {
    var (low, high) = (0, known.count)
    while low < high {
      let middle = (low + high) / 2
      if precedes(known[middle], value) { low = middle + 1 } else { high = middle }
    }
    return low
  }

  private func precedes(_ one: FieldContent, _ other: FieldContent) -> Bool {
    guard let order = one.order(other) else { return false }
    return isAscending ? order < 0 : order > 0
  }
}
