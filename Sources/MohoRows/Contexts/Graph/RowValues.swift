import Foundation
import MohoMapping

/// The values of a row's columns: the attributes, and the handles of the rows
/// that the link columns refer to.
struct RowValues: Hashable, Sendable {
  var attributes: [FieldContent]
  var targets: [Int?]
}

extension FieldContent {
  /// Returns the content in the form that rows store, so that equal values are
  /// equal contents: signed integers if they fit, and the type of the attribute
  /// if the conversion is exact.
  func normalized(for type: AttributeType) -> FieldContent {
    let value: FieldContent
    if case .uint64(let unsigned) = self, let signed = Int64(exactly: unsigned) {
      value = .int64(signed)
    } else {
      value = self
    }
    switch (type, value) {
    case (.double, .int64(let integer)), (.float, .int64(let integer)):
      return Double(exactly: integer).map { .double($0) } ?? value
    case (.decimal, .int64(let integer)): return .decimal(Decimal(integer))
    case (.uuid, .string(let text)):
      return UUID(uuidString: text).map { .string($0.uuidString) } ?? value
    default: return value
    }
  }
}
