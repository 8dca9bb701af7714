import Foundation
import GRDB
import MohoMapping

extension FieldContent {
  /// The value as the columns of its type hold it.
  var databaseValue: DatabaseValue {
    get throws {
      switch self {
      case .null: return .null
      case .bool(let value): return value.databaseValue
      case .int64(let value): return value.databaseValue
      case .uint64(let value):
        guard let value = Int64(exactly: value) else {
          throw StoreError(.invalidRequest, reason: "\(value) is greater than \(Int64.max)")
        }
        return value.databaseValue
      case .double(let value): return try number(value).databaseValue
      case .decimal(let value):
        return value.isNaN ? try number(.nan).databaseValue : value.description.databaseValue
      case .string(let value): return value.databaseValue
      case .data(let value): return value.databaseValue
      case .date(let value): return try number(value.timeIntervalSinceReferenceDate).databaseValue
      case .object, .array, .dictionary:
        throw StoreError(.invalidRequest, reason: "\(self) is no value of a column")
      }
    }
  }

  private func number(_ value: Double) throws -> Double {
    // SQLite would take it for null.
    guard !value.isNaN else {
      throw StoreError(.invalidRequest, reason: "nothing compares with what is not a number")
    }
    return value
  }
}
