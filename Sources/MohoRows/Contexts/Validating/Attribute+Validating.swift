import MohoMapping

extension Attribute {
  /// Validates a value against the type and the constraints of the attribute.
  /// The database checks the same rules.
  func failures(of value: FieldContent, in row: RowIdentity) -> [ValidationFailure] {
    if value == .null {
      return isOptional
        ? [] : [ValidationFailure(.missingValue, row, [name], found: "null", expected: "\(type)")]
    }
    guard type.holds(value) else {
      return [
        ValidationFailure(.invalidType, row, [name], found: value.summary, expected: "\(type)")
      ]
    }
    return constraints.filter { !$0.holds(for: value) }.map { constraint in
      ValidationFailure(
        .invalidValue, row, [name], found: value.summary, expected: constraint.expectation)
    }
  }
}

extension AttributeConstraint {
  /// Returns a Boolean value indicating whether a value satisfies the
  /// constraint. The value must have the type of the attribute.
  func holds(for value: FieldContent) -> Bool {
    switch self {
    case .minimum(let limit): (value.order(limit) ?? -1) >= 0
    case .maximum(let limit): (value.order(limit) ?? 1) <= 0
    case .oneOf(let values): values.contains { $0.order(value) == 0 }
    case .length(let range): value.length.map { range.contains($0) } ?? true
    }
  }

  var expectation: String {
    switch self {
    case .minimum(let limit): "at least \(limit)"
    case .maximum(let limit): "at most \(limit)"
    case .oneOf(let values): "one of " + values.map { "\($0)" }.joined(separator: ", ")
    case .length(let range): "length from \(range.lowerBound) to \(range.upperBound)"
    }
  }
}

extension FieldContent {
  /// The length according to SQL's `length` function. For text, this is the
  /// number of Unicode scalars before the first null character.
  fileprivate var length: Int? {
    switch self {
    case .string(let text): text.unicodeScalars.prefix { $0.value != 0 }.count
    case .data(let data): data.count
    default: nil
    }
  }
}
