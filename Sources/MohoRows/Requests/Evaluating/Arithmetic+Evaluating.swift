import Foundation
package import MohoMapping

extension Arithmetic {
  /// Returns the result of the operation. ``Operand`` describes the rules.
  package func result(_ left: FieldContent, _ right: FieldContent) -> FieldContent {
    switch (left, right) {
    case (.int64(let left), .int64(let right)): integer(left, right)
    case (.decimal(let left), .decimal(let right)): decimal(left, right)
    case (.decimal(let left), .int64(let right)): decimal(left, Decimal(right))
    case (.int64(let left), .decimal(let right)): decimal(Decimal(left), right)
    case (.date(let left), .date(let right)):
      double(left.timeIntervalSinceReferenceDate, right.timeIntervalSinceReferenceDate)
    case (.date(let left), _):
      date(left.timeIntervalSinceReferenceDate, right.nearestDouble)
    case (_, .date(let right)):
      date(left.nearestDouble, right.timeIntervalSinceReferenceDate)
    default:
      if let left = left.nearestDouble, let right = right.nearestDouble {
        double(left, right)
      } else {
        .null
      }
    }
  }

  private func integer(_ left: Int64, _ right: Int64) -> FieldContent {
    let (value, isOverflow) =
      switch self {
      case .add: left.addingReportingOverflow(right)
      case .subtract: left.subtractingReportingOverflow(right)
      case .multiply: left.multipliedReportingOverflow(by: right)
      case .divide: left.dividedReportingOverflow(by: right)
      }
    return isOverflow ? .null : .int64(value)
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
  /// The number in double precision, or nil if the value is not a number.
  fileprivate var nearestDouble: Double? {
    switch self {
    case .int64(let value): Double(value)
    case .double(let value): value
    case .decimal(let value): value.nearestDouble
    default: nil
    }
  }
}
