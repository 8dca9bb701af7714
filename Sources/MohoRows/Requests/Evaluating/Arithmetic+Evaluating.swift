package import Foundation
package import MohoMapping

extension Arithmetic {
  /// Returns the result of the operation. ``Operand`` describes the rules.
  ///
  /// - Parameter isUnsigned: Whether the operands are integers, and the result is an
  ///   unsigned integer.
  package func result(
    _ left: FieldContent, _ right: FieldContent, isUnsigned: Bool = false
  ) -> FieldContent {
    if isUnsigned {
      guard let left = left.integer, let right = right.integer else { return .null }
      return integer(left, right).flatMap { UInt64(exactly: $0) }.map { .uint64($0).stored }
        ?? .null
    }
    return switch (left, right) {
    case (.int64(let left), .int64(let right)): integer(left, right).map { .int64($0) } ?? .null
    case (.date(let left), .date(let right)):
      double(left.timeIntervalSinceReferenceDate, right.timeIntervalSinceReferenceDate)
    case (.date(let left), _):
      date(left.timeIntervalSinceReferenceDate, right.nearestDouble)
    case (_, .date(let right)):
      date(left.nearestDouble, right.timeIntervalSinceReferenceDate)
    default:
      if let left = left.exactDecimal, let right = right.exactDecimal {
        decimal(left, right)
      } else if let left = left.nearestDouble, let right = right.nearestDouble {
        double(left, right)
      } else {
        .null
      }
    }
  }

  private func integer<Integer: FixedWidthInteger>(_ left: Integer, _ right: Integer) -> Integer? {
    let (value, isOverflow) =
      switch self {
      case .add: left.addingReportingOverflow(right)
      case .subtract: left.subtractingReportingOverflow(right)
      case .multiply: left.multipliedReportingOverflow(by: right)
      case .divide: left.dividedReportingOverflow(by: right)
      }
    return isOverflow ? nil : value
  }

  private func decimal(_ left: Decimal, _ right: Decimal) -> FieldContent {
    if self == .divide, right.isZero { return .null }
    if left.isNaN || right.isNaN { return .null }
    let (left, right) = (ExactDecimal(left), ExactDecimal(right))
    let value =
      switch self {
      case .add: left + right
      case .subtract: left + -right
      case .multiply: left * right
      case .divide: left / right
      }
    return value.decimal.map { .decimal($0) } ?? .null
  }

  private func double(_ left: Double, _ right: Double) -> FieldContent {
    if self == .divide, right == 0 { return .null }
    let value =
      switch self {
      case .add: left + right
      case .subtract: left - right
      case .multiply: left * right
      case .divide: left / right
      }
    return value.isNaN ? .null : .double(value)
  }

  private func date(_ left: Double?, _ right: Double?) -> FieldContent {
    guard let left, let right, case .double(let value) = double(left, right) else { return .null }
    return .date(Date(timeIntervalSinceReferenceDate: value))
  }
}

extension FieldContent {
  /// The integer, or nil if the value is not an integer.
  package var integer: Int128? {
    switch self {
    case .int64(let value): Int128(value)
    case .uint64(let value): Int128(value)
    default: nil
    }
  }

  /// The number, or nil if the value is not an integer or a decimal.
  package var exactDecimal: Decimal? {
    switch self {
    case .int64(let value): Decimal(value)
    case .uint64(let value): Decimal(value)
    case .decimal(let value): value
    default: nil
    }
  }

  /// The number in double precision, or nil if the value is not a number.
  package var nearestDouble: Double? {
    switch self {
    case .int64(let value): Double(value)
    case .uint64(let value): Double(value)
    case .double(let value): value
    case .decimal(let value): value.nearestDouble
    default: nil
    }
  }
}
