import Foundation
import GRDB
import MohoMapping

/// A request as SQL: its clauses and the values bound to them.
struct RequestSQL {
  let entity: Entity
  private(set) var arguments: [DatabaseValue] = []
  private var condition = ""
  private var order = ""
  private var page = ""

  init<Model>(_ request: ModelRequest<Model>, _ entity: Entity) throws {
    self.entity = entity
    if request.filter != .and([]) { condition = " WHERE " + (try sql(request.filter)) }
    let orderings = try request.orderings.map { ordering in
      try operand(ordering.key) + (ordering.direction == .descending ? " DESC" : "")
    }
    order = " ORDER BY " + (orderings + [identity]).joined(separator: ", ")
    if let limit = request.limit, limit < 0 {
      throw StoreError(.invalidRequest, reason: "the limit \(limit) is below 0")
    }
    if request.offset < 0 {
      throw StoreError(.invalidRequest, reason: "the offset \(request.offset) is below 0")
    }
    if request.limit != nil || request.offset > 0 {
      // Statements are kept: one for each offset would be many.
      page = " LIMIT \(request.limit ?? -1) OFFSET \(try bind(.int64(Int64(request.offset))))"
    }
  }

  var identity: String { quoted(entity.identityColumn) }

  func select(_ columns: [String]) -> String {
    "SELECT \(columns.joined(separator: ", ")) FROM \(quoted(entity.name))\(condition)\(order)\(page)"
  }

  var count: String { "SELECT count(*) FROM (\(select(["1"])))" }

  var delete: String {
    "DELETE FROM \(quoted(entity.name)) WHERE \(identity) IN (\(select([identity])))"
  }

  func column(_ key: KeyName) throws -> String {
    guard key.isStored else {
      throw StoreError(
        .invalidRequest,
        reason: "`\(key)` is no stored key of `\(entity.name)`",
        suggestion: "declare the property with `.key` in the mapping")
    }
    return quoted(key.description)
  }

  /// A column as it is compared and ordered by.
  private func operand(_ key: KeyName) throws -> String {
    let column = try column(key)
    let attribute = entity.attributes.first { $0.name == key.description }
    return attribute?.type == .decimal ? column + " COLLATE moho_decimal" : column
  }

  private mutating func sql(_ filter: Filter) throws -> String {
    switch filter {
    case .comparison(let key, let comparison, let value):
      return "\(try operand(key)) \(comparison.rawValue) \(try bind(value))"
    case .oneOf(let key, let values):
      let isNull = values.contains(.null) ? " OR \(try column(key)) IS NULL" : ""
      let list = try values.filter { $0 != .null }.map { try bind($0) }
      return "(\(try operand(key)) IN (\(list.joined(separator: ", ")))\(isNull))"
    case .text(let key, let match):
      // As bytes, because GRDB ends texts at their first null character.
      let place = try bind(.string(match.place.rawValue))
      let text = try bind(.data(Data(match.text.utf8)))
      let candidate = "CAST(\(try column(key)) AS BLOB)"
      return "moho_matches(\(candidate), \(place), \(text), \(match.options.rawValue))"
    case .and(let filters):
      return try join(filters, by: " AND ", none: "1")
    case .or(let filters):
      return try join(filters, by: " OR ", none: "0")
    case .not(let filter):
      // True of false and of null, so that conditions have two values.
      return "((\(try sql(filter))) IS NOT TRUE)"
    case .invalid(let reason):
      throw StoreError(.invalidRequest, reason: reason)
    }
  }

  private mutating func join(
    _ filters: [Filter], by separator: String, none: String
  ) throws -> String {
    if filters.isEmpty { return none }
    var conditions: [String] = []
    for filter in filters { conditions.append(try sql(filter)) }
    return "(\(conditions.joined(separator: separator)))"
  }

  private mutating func bind(_ value: FieldContent) throws -> String {
    // SQLite refuses more parameters in one statement.
    guard arguments.count < 32_766 else {
      throw StoreError(.invalidRequest, reason: "the filter has more than 32,766 values")
    }
    switch value {
    case .string(let text) where text.utf8.contains(0):
      // GRDB binds a text up to its first null character.
      return "CAST(\(try bind(.data(Data(text.utf8)))) AS TEXT)"
    case .data(let data) where data.isEmpty:
      // GRDB binds what has no address as null.
      return "x''"
    default:
      arguments.append(try value.databaseValue)
      return "?"
    }
  }
}

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
