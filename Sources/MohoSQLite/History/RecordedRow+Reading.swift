import Foundation
import GRDBSQLite
import MohoMapping
import MohoRows

extension RecordedRow {
  /// Reads a change from the row of a statement.
  init(_ statement: OpaquePointer, _ schema: CompiledSchema) {
    let entity = SQLiteValue(statement, 2).string ?? ""
    self.init(
      sequence: sqlite3_column_int64(statement, 0),
      time: HistoryDate.milliseconds(sqlite3_column_double(statement, 1)), entity: entity,
      row: sqlite3_column_int64(statement, 3),
      kind: RecordedChange(rawValue: sqlite3_column_int64(statement, 4))?.kind,
      keys: HistoryKeys.names(SQLiteValue(statement, 5).string ?? ""),
      key: schema.entity(entity)?.key(recorded: StoredValue(statement, 6)) ?? [])
  }
}

extension CompiledEntity {
  /// Returns the values of the columns that identified a deleted row.
  func key(recorded key: StoredValue) -> [FieldContent] {
    guard hasOwnKey else { return [] }
    guard identifying.count > 1 else { return contents([key]) }
    guard case .text(let text) = key else { return [] }
    return contents(HistoryKeys.parts(text))
  }

  /// Returns the values of the columns that identify a row.
  func contents(_ values: [StoredValue]) -> [FieldContent] {
    guard values.count == identifying.count else { return [] }
    return zip(identifying, values).map { column, value in
      switch column {
      case .attribute(let index):
        value.content(as: ValueType(attributes[index].type)) ?? value.content
      case .slot: value.integer.map { .int64($0) } ?? .null
      }
    }
  }
}
