import Foundation
import MohoMapping
import MohoRows

/// Reads the recorded unique keys of deleted rows, and those of existing rows.
struct PostgresRecordedKeys: RecordedKeySource {
  private let connection: PostgresConnection
  private let history: PostgresHistorySchema

  init(_ connection: PostgresConnection, _ history: PostgresHistorySchema) {
    self.connection = connection
    self.history = history
  }

  func deletions(
    of rows: [RecordedVersion], _ entity: CompiledEntity, after isAfter: Bool
  ) throws -> [RecordedDeletion?] {
    var deletions = [RecordedDeletion?](repeating: nil, count: rows.count)
    if rows.isEmpty { return deletions }
    var arguments = PostgresArguments()
    try arguments.append(entity.name)
    arguments.append(rows.map(\.row))
    arguments.append(rows.map(\.sequence))
    let sql = """
      SELECT r.number - 1, d.seq, d.key
      FROM unnest($2::int8[], $3::int8[]) WITH ORDINALITY r (id, seq, number),
        LATERAL (
          SELECT seq, key FROM \(history.changes) h
          WHERE h.entity = $1 AND h.row_id = r.id AND h.seq \(isAfter ? ">" : "<=") r.seq
          ORDER BY h.seq \(isAfter ? "" : "DESC") LIMIT 1) d
      """
    for row in try connection.query(sql, arguments).rows {
      deletions[row.int(0)] = RecordedDeletion(
        sequence: row.int64(1), key: try entity.key(recorded: row, 2))
    }
    return deletions
  }

  func identifyingValues(
    of rows: [Int64], _ entity: CompiledEntity
  ) throws -> [Int64: [FieldContent]] {
    try rows.isEmpty ? [:] : connection.identifyingValues(of: entity, rows)
  }
}

extension PostgresConnection {
  /// Returns the values of the columns that identify rows, by the identities of the rows.
  func identifyingValues(
    of entity: CompiledEntity, _ rows: [Int64]
  ) throws -> [Int64: [FieldContent]] {
    let columns = entity.identifyingColumns.map { entity.table.columns[$0] }
    let names = ([entity.identityColumn] + columns.map(\.name)).map(quotedName)
    var arguments = PostgresArguments()
    arguments.append(rows)
    let result = try query(
      "SELECT \(names.joined(separator: ", ")) FROM \(qualified(entity.name))"
        + " WHERE \(names[0]) = ANY ($1::int8[])", arguments)
    var values: [Int64: [FieldContent]] = [:]
    for row in result.rows {
      values[row.int64(0)] = try columns.enumerated().map { index, column in
        try row.content(index + 1, as: column.type)
      }
    }
    return values
  }
}

extension CompiledEntity {
  /// Returns the values of the columns that identified a deleted row. Empty if they were not
  /// recorded, or if the columns have other types now.
  func key(recorded row: PostgresRow, _ column: Int) throws -> [FieldContent] {
    if row.isNull(column) { return [] }
    return try row.withBytes(column) { bytes in
      guard let record = RecordValues(bytes) else { return [] }
      let columns = identifyingColumns.map { table.columns[$0] }
      guard record.count == columns.count else { return [] }
      return try columns.enumerated().map { index, column in
        try record.content(index, as: column.type)
      }
    }
  }
}

/// The values of a record in binary form.
// SAFETY: The user of the values retains the bytes of the record.
private struct RecordValues: PostgresValues {
  private var values: [UnsafeRawBufferPointer?] = []

  init?(_ record: UnsafeRawBufferPointer) {
    var reader = BinaryReader(record)
    guard let count = reader.integer() else { return nil }
    for _ in 0..<count {
      // The type precedes each value.
      guard reader.integer() != nil, let value = reader.value() else { return nil }
      values.append(value)
    }
  }

  var count: Int { values.count }

  func isNull(_ column: Int) -> Bool { values[column] == nil }

  func withBytes<Result>(
    _ column: Int, _ body: (UnsafeRawBufferPointer) throws -> Result
  ) rethrows -> Result {
    try body(values[column] ?? UnsafeRawBufferPointer(start: nil, count: 0))
  }
}
