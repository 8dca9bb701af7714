import Foundation
import GRDB
import GRDBSQLite
import MohoMapping

/// Reads rows from the columns of a statement: the identity, the attributes and
/// the links to one, in this order.
struct RowColumns {
  let entity: CompiledEntity
  let schema: CompiledSchema

  /// The columns to select, from a table of a name.
  func selection(from table: String) -> [String] {
    let names = entity.attributes.map(\.name) + entity.linkColumns.map(\.name)
    return ([entity.identityColumn] + names).map { "\(quoted(table)).\(quoted($0))" }
  }

  var count: Int { 1 + entity.attributes.count + entity.linkColumns.count }

  /// The row that a statement stands on, whose columns begin at a position.
  ///
  /// - Throws: ``StoreError`` where a column holds what it must not.
  func row(_ statement: OpaquePointer, from first: Int = 0) throws -> FetchedRow {
    let identity = sqlite3_column_int64(statement, Int32(first))
    var column = first + 1
    var attributes: [FieldContent] = []
    attributes.reserveCapacity(entity.attributes.count)
    for attribute in entity.attributes {
      guard let value = attribute.type.content(statement, Int32(column)) else {
        throw StoreError(
          .damaged,
          subject: "`\(entity.name)` \(identity)",
          reason: "the column `\(attribute.name)` holds no \(attribute.type.rawValue)")
      }
      attributes.append(value)
      column += 1
    }
    var targets: [RowIdentity?] = []
    for relationship in entity.linkColumns {
      let isNull = sqlite3_column_type(statement, Int32(column)) == SQLITE_NULL
      targets.append(
        isNull
          ? nil
          : RowIdentity(
            entity: schema.entities[relationship.destination].name,
            stored: sqlite3_column_int64(statement, Int32(column))))
      column += 1
    }
    return FetchedRow(
      identity: RowIdentity(entity: entity.name, stored: identity), attributes: attributes,
      targets: targets)
  }
}

extension AttributeType {
  /// The value of a column, or nil where it is none of the type.
  // SAFETY: the statement stands on a row, and the bytes that
  // `sqlite3_column_text` and `sqlite3_column_blob` point to stay until it moves
  // on, which is after their use.
  fileprivate func content(_ statement: OpaquePointer, _ column: Int32) -> FieldContent? {
    switch sqlite3_column_type(statement, column) {
    case SQLITE_NULL: return .null
    case SQLITE_INTEGER:
      let value = sqlite3_column_int64(statement, column)
      switch self {
      case .int16, .int32, .int64: return .int64(value)
      case .boolean: return value == 0 ? .bool(false) : value == 1 ? .bool(true) : nil
      default: return nil
      }
    case SQLITE_FLOAT:
      let value = sqlite3_column_double(statement, column)
      switch self {
      case .double, .float: return .double(value)
      case .date: return .date(Date(timeIntervalSinceReferenceDate: value))
      default: return nil
      }
    case SQLITE_TEXT:
      let start = sqlite3_column_text(statement, column)
      let count = Int(sqlite3_column_bytes(statement, column))
      let bytes = UnsafeBufferPointer(start: start, count: count)
      guard let text = String(validating: bytes, as: UTF8.self) else { return nil }
      switch self {
      case .string, .url, .uuid, .transformable: return .string(text)
      case .decimal: return DecimalText.decimal(text).map { .decimal($0) }
      default: return nil
      }
    case SQLITE_BLOB:
      guard self == .data else { return nil }
      let start = sqlite3_column_blob(statement, column)
      let count = Int(sqlite3_column_bytes(statement, column))
      return .data(Data(UnsafeRawBufferPointer(start: start, count: count)))
    default: return nil
    }
  }
}
