import MohoMapping
import MohoRows

/// The value of an aggregate, which follows from the values of a group of rows as they are
/// added and removed.
///
/// Sums are exact: the result does not depend on the order of additions and removals, and
/// is rounded once.
struct AggregateState: Sendable {
  enum Result: Sendable, Equatable {
    case value(FieldContent)
    /// The smallest or greatest values were removed. The remaining values must be
    /// passed to ``AggregateState/refill(_:)``.
    case lacksValues
    /// The state cannot represent the value. A statement must compute it, or throw its
    /// error.
    case unknown
  }

  /// What is stored of the values.
  private enum Values {
    /// Only their number.
    case number
    /// How often each value occurs.
    case occurrences([FieldContent: Int])
    case integers(Int128)
    case decimals(ExactDecimal)
    case doubles(ExactDoubleSum)
    case extremes(ExtremeValues)
  }

  private let isAverage: Bool
  private var values: Values
  /// The number of values that are not null.
  private var count = 0

  /// - Parameter type: The type of the values.
  init(_ function: Aggregate.Function, of type: ValueType) {
    isAverage = function == .average
    values =
      switch function {
      case .count: .number
      case .distinctCount: .occurrences([:])
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
  mutating func add(_ value: FieldContent) { change(by: value, isAdded: true) }

  /// Removes the value of a row, which has been added before.
  mutating func remove(_ value: FieldContent) { change(by: value, isAdded: false) }

  private mutating func change(by value: FieldContent, isAdded: Bool) {
    if value.isNull { return }
    count += isAdded ? 1 : -1
    switch values {
    case .number: break
    case .occurrences(var occurrences):
      // Releases the memory of the values, so that they are changed in place.
      values = .number
      let number = occurrences[value, default: 0] + (isAdded ? 1 : -1)
      occurrences[value] = number == 0 ? nil : number
      values = .occurrences(occurrences)
    case .integers(let sum):
      let integer = value.integer ?? 0
      values = .integers(isAdded ? sum + integer : sum - integer)
    case .decimals(let sum):
      let decimal = value.exactDecimal.map { ExactDecimal($0) } ?? .zero
      values = .decimals(isAdded ? sum + decimal : sum + -decimal)
    case .doubles(var sum):
      values = .number
      let number = value.nearestDouble ?? 0
      if isAdded { sum.add(number) } else { sum.remove(number) }
      values = .doubles(sum)
    case .extremes(var extremes):
      values = .number
      if isAdded { extremes.add(value) } else { extremes.remove(value) }
      values = .extremes(extremes)
    }
  }

  /// Finds the smallest or greatest values again after the result was
  /// ``Result/lacksValues``.
  ///
  /// - Parameter all: All values of the group.
  mutating func refill(_ all: some Sequence<FieldContent>) {
    guard case .extremes(let former) = values else { return }
    var extremes = ExtremeValues(isAscending: former.isAscending)
    for value in all where !value.isNull { extremes.add(value) }
    values = .extremes(extremes)
  }

  var result: Result {
    let divisor = isAverage ? count : nil
    return switch values {
    case .number: .value(.int64(Int64(count)))
    case .occurrences(let occurrences): .value(.int64(Int64(occurrences.count)))
    case _ where count == 0: .value(.null)
    case .integers(let sum): Self.result(sum, dividedBy: divisor)
    case .decimals(let sum): Self.result(sum, dividedBy: divisor)
    case .doubles(let sum): Self.result(sum.value, dividedBy: divisor)
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

  private static func result(_ sum: Double, dividedBy count: Int?) -> Result {
    // Infinities of both signs have no sum.
    sum.isNaN ? .value(.null) : .value(.double(count.map { sum / Double($0) } ?? sum))
  }
}

/// The smallest or greatest values of a group that are known.
///
/// Values beyond the known ones are only counted, so that a group takes little memory.
private struct ExtremeValues: Sendable {
  /// The number of values after which the last ones are forgotten.
  private static let limit = 32

  let isAscending: Bool
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

  /// The index of the first known value that does not precede a value.
  private func position(of value: FieldContent) -> Int {
    known.partitioningIndex { !precedes($0, value) }
  }

  private func precedes(_ one: FieldContent, _ other: FieldContent) -> Bool {
    guard let order = one.order(other) else { return false }
    return isAscending ? order < 0 : order > 0
  }
}
