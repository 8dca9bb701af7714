import Foundation
import GRDB
import GRDBSQLite
package import MohoMapping

/// The rows of a request as their identities, sections and contents.
package struct RowScan: Sendable {
  /// The identities, in the order of the request.
  package var rowIDs: [Int64] = []

  /// The values of the section key and the position of the first row of each
  /// run of rows that have it; empty without a section key.
  package var sections: [(value: FieldContent, start: Int)] = []

  /// One number for each row and stored key, row by row, by which changed
  /// values are told from unchanged ones; empty unless asked for.
  package var fingerprints: [UInt64] = []
}

extension StoreReader {
  /// The identities and sections of a request's rows, and their fingerprints
  /// where asked for, in one pass.
  ///
  /// - Complexity: O(*n*) in the number of rows.
  package func scan<Model>(
    _ request: ModelRequest<Model>, sectionedBy section: KeyName?, fingerprints: Bool
  ) throws -> RowScan {
    let sql = try RequestSQL(
      request, schema, selecting: section.map { [.key($0)] } ?? [])
    var columns = [sql.identity]
    if fingerprints { columns += schema.columnNames(of: sql.entity).map { sql.column($0) } }
    let count = Int32(columns.count)

    var scan = RowScan()
    try forEachRow(sql.select(columns)) { statement in
      if section != nil {
        let value = FieldContent(statement, count)
        if scan.sections.last.map({ isSame($0.value, value) }) != true {
          scan.sections.append((value, scan.rowIDs.count))
        }
      }
      scan.rowIDs.append(sqlite3_column_int64(statement, 0))
      for column in 1..<count {
        scan.fingerprints.append(fingerprint(statement, column))
      }
    }
    return scan
  }

  /// The names of the tables that a request reads beside its own, because it
  /// filters or orders by related rows; its own too, where it reads other rows of
  /// it on the way.
  package func tables<Model>(
    besidesModelsOf request: ModelRequest<Model>
  ) throws -> Set<String> {
    try RequestSQL(request, schema).request.tables
  }

  /// The fingerprints of single rows, by identity. Rows that are gone are left
  /// out.
  package func fingerprints<Model: MappedModel>(
    of model: Model.Type, rowIDs: [Int64]
  ) throws -> [Int64: [UInt64]] {
    let entity = try schema.entity(of: model)
    let columns = [quoted(entity.identityColumn)] + schema.columnNames(of: entity).map(quoted)
    var fingerprints: [Int64: [UInt64]] = [:]
    try forEachRow(columns, of: entity, rowIDs: rowIDs) { statement in
      fingerprints[sqlite3_column_int64(statement, 0)] =
        (1..<columns.count).map { fingerprint(statement, Int32($0)) }
    }
    return fingerprints
  }

  /// The models of single rows with their fingerprints, by identity. Rows that
  /// are gone are left out.
  ///
  /// - Throws: `MappingError` where a row is none of the model's.
  package func models<Model: MappedModel>(
    of model: Model.Type, rowIDs: [Int64]
  ) throws -> [Int64: (model: Model, fingerprint: [UInt64])] {
    let entity = try schema.entity(of: model)
    let mapping = Model.mapping
    var columns = schema.selection(of: mapping, entity)
    var models: [Int64: (model: Model, fingerprint: [UInt64])] = [:]
    guard mapping.hasRelations else {
      let stored = mapping.keys.indices.filter { !mapping.keys[$0].isTransient }
      try forEachRow(columns, of: entity, rowIDs: rowIDs) { statement in
        let decoder = RowFieldDecoder(statement: statement, entity: entity, keys: mapping.keys)
        models[sqlite3_column_int64(statement, Int32(mapping.keys.count))] =
          (try mapping.model(from: decoder), stored.map { fingerprint(statement, Int32($0)) })
      }
      return models
    }
    let first = columns.count
    columns += schema.columnNames(of: entity).map(quoted)
    var rows: [(row: StoredRow, fingerprint: [UInt64])] = []
    let graph = try perform { try GraphReader(model, $0, schema) }
    try forEachRow(columns, of: entity, rowIDs: rowIDs) { statement in
      let fingerprint = (first..<columns.count).map { self.fingerprint(statement, Int32($0)) }
      rows.append((graph.root(from: statement), fingerprint))
    }
    let found: [Model] = try perform { _ in try graph.models(of: rows.map(\.row)) }
    for (row, model) in zip(rows, found) { models[row.row.id] = (model, row.fingerprint) }
    return models
  }

  private func forEachRow(
    _ columns: [String], of entity: Entity, rowIDs: [Int64],
    _ body: (OpaquePointer) throws -> Void
  ) throws {
    var rest = rowIDs[...]
    while !rest.isEmpty {
      var some = Array(rest.prefix(512))
      rest = rest.dropFirst(some.count)
      // The last one again and again up to a power of two: each count would
      // be a statement of its own, and statements are kept.
      while some.count & (some.count - 1) != 0 { some.append(some[some.count - 1]) }
      let marks = some.map { _ in "?" }.joined(separator: ", ")
      let sql = """
        SELECT \(columns.joined(separator: ", ")) FROM \(quoted(entity.name)) \
        WHERE \(quoted(entity.identityColumn)) IN (\(marks))
        """
      try forEachRow(sql, some.map(\.databaseValue), body)
    }
  }

  /// Whether two values are equal to SQLite: texts by their bytes.
  private func isSame(_ left: FieldContent, _ right: FieldContent) -> Bool {
    if case (.string(let left), .string(let right)) = (left, right) {
      return left.utf8.elementsEqual(right.utf8)
    }
    return left == right
  }

  func forEachRow(
    _ statement: BoundSQL, _ body: (OpaquePointer) throws -> Void
  ) throws {
    try forEachRow(statement.sql, statement.arguments, body)
  }

  private func forEachRow(
    _ sql: String, _ arguments: [DatabaseValue], _ body: (OpaquePointer) throws -> Void
  ) throws {
    try perform { database in
      var rows = try RowSteps(database, sql: sql, arguments)
      while try rows.next() { try body(rows.statement) }
    }
  }

  // SAFETY: The statement stands on a row.
  private func fingerprint(_ statement: OpaquePointer, _ column: Int32) -> UInt64 {
    MohoStore.fingerprint(ofValue: sqlite3_column_value(statement, column))
  }
}
