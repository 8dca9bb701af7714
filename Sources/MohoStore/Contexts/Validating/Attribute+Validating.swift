import MohoMapping

extension Attribute {
  /// What is wrong with a value, by the attribute's type and constraints: those
  /// that the database checks too.
  func failures(of value: FieldContent, in row: RowIdentity) -> [ValidationFailure] {
    if value == .null {
      return isOptional
        ? [] : [ValidationFailure(.missingValue, row, [name], found: "null", expected: "\(type)")]
    }
    guard type.holds(value) else {
      return [
        ValidationFailure(.invalidType, row, [name], found: "\(value)", expected: "\(type)")
      ]
    }
    return constraints.filter { !$0.holds(for: value) }.map { constraint in
      ValidationFailure(
        .invalidValue, row, [name], found: "\(value)", expected: constraint.expectation)
    }
  }
}

extension AttributeConstraint {
  /// Whether a value, which is of the attribute's type, meets the constraint.
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
  /// The length that SQL's `length` finds: of texts, the Unicode scalars before
  /// the first that is null.
  fileprivate var length: Int? {
    switch self {
    case .string(let text): text.unicodeScalars.prefix { $0.value != 0 }.count
    case .data(let data): data.count
    default: nil
    }
  }
}
