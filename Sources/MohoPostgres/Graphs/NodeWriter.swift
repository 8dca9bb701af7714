import MohoMapping
import MohoRows

/// Writes the rows of one model, all rows of a batch with each statement.
final class NodeWriter: NodeRowWriter {
  private let node: ModelNode
  private let statements: PostgresGraphStatements
  private let log: SavedRowLog?
  /// The links whose columns are written after all rows have been written.
  private let deferredLinks: [NodeLink]
  /// The keys whose columns are written with the row.
  private let columns: [(key: Int, link: NodeLink?, column: UpsertSQL.Column)]
  private let upsert: UpsertStatement

  private var connection: PostgresConnection { statements.connection }
  private var resolver: RowResolver { statements.resolver }
  private var table: String { quotedName(node.name) }

  init(
    _ node: ModelNode, deferring deferred: Set<Int>, _ statements: PostgresGraphStatements,
    log: SavedRowLog?
  ) {
    self.node = node
    self.statements = statements
    self.log = log
    let deferredLinks = node.links.filter { deferred.contains($0.index) }
    self.deferredLinks = deferredLinks
    columns = node.keys.indices.filter { !deferred.contains($0) }
      .compactMap { Self.column($0, of: node) }
    let sql = UpsertSQL(
      table: quotedName(node.name), identity: node.identity, columns: columns.map(\.column),
      placeholders: deferredLinks.filter { !$0.relationship.isOptional }.map(\.column))
    upsert = UpsertStatement(sql, returningRows: true)
  }

  private static func column(
    _ index: Int, of node: ModelNode
  ) -> (key: Int, link: NodeLink?, column: UpsertSQL.Column)? {
    let isKey = node.unique.contains(index)
    switch node.keys[index] {
    case .column(let attribute?):
      let column = UpsertSQL.Column(
        name: quotedName(node.table.keys[index].name),
        type: PostgresType(node.entity.attributes[attribute].type), isKey: isKey,
        merge: node.columnMerges[index])
      return (index, nil, column)
    case .link(let link) where link.storage == .column:
      let column = UpsertSQL.Column(
        name: link.column, type: .int8, isKey: isKey,
        position: link.relationship.positionColumn.map { quotedName($0) })
      return (index, link, column)
    default: return nil
    }
  }

  func save(
    _ rows: [GraphRow], onlyInserting isOnlyInserted: (GraphRow) -> Bool, batch: Int
  ) throws {
    var new = rows
    if !node.unique.isEmpty, rows.contains(where: isOnlyInserted) {
      let ids = try resolver.identities(
        of: rows.map { isOnlyInserted($0) ? $0.key : .null }, in: node.entity, isVerified: true)
      for (row, id) in zip(rows, ids) { row.rowID = id }
      new = zip(rows, ids).filter { $0.1 == nil }.map(\.0)
    }
    if node.entity.isKeyedByIdentity { new = try new.filter { try hasIdentity($0) } }
    if new.isEmpty { return }
    try statements.write(new) { try saveAll($0, batch: batch) }
  }

  /// Whether a row has an identity. The server would generate one.
  private func hasIdentity(_ row: GraphRow) throws -> Bool {
    if row.key != .null { return true }
    let error = MappingError(
      .unexpectedNull, model: node.name, key: node.entity.identityColumn, found: "null",
      expected: "integer")
    try statements.failures.add(error, of: row)
    return false
  }

  private func saveAll(_ rows: [GraphRow], batch: Int) throws {
    var targets: [Int: [Int64?]] = [:]
    for case (let index, let link?, _) in columns {
      var ids = try statements.identities(of: rows.map { $0.target(of: link) }, link)
      try unlinkTargets(&ids, of: rows, link)
      targets[index] = ids
    }
    let arrays = try arrays(of: columns, rows, targets)
    var known: [Int64]?
    if node.entity.isKeyedByIdentity { known = rows.map { $0.key.integer ?? 0 } }
    let result = try UpsertResult(
      connection, upsert.query(arrays), count: rows.count, knownIdentities: known)
    for (index, row) in rows.enumerated() {
      let id = result.identities[index]
      row.rowID = id
      row.outcome = result.outcomes[index]
      resolver.record(row.key, id, of: node.entity)
      if row.outcome == .inserted { log?.recordInsertion(id) }
      if row.outcome == .updated, try !noteUpdate(id, batch: batch) { row.outcome = .unchanged }
    }
  }

  /// Records that a statement has updated a row.
  ///
  /// - Returns: Whether the call writes the row for the first time.
  /// - Throws: A ``RepeatedRow`` if another batch has updated the row.
  private func noteUpdate(_ id: Int64, batch: Int) throws -> Bool {
    guard let log else { return true }
    switch log.recordUpdate(id, batch: batch) {
    case .first: return true
    case .ofCountedRow: return false
    case .repeated: throw RepeatedRow()
    }
  }

  /// Returns the values of columns.
  private func arrays(
    of columns: [(key: Int, link: NodeLink?, column: UpsertSQL.Column)], _ rows: [GraphRow],
    _ targets: [Int: [Int64?]]
  ) throws -> RowArrays {
    var arrays = RowArrays(columns.map(\.column.type))
    for (position, column) in columns.enumerated() {
      if let ids = targets[column.key] {
        for id in ids {
          if let id {
            arrays.columns[position].append(id)
          } else {
            arrays.columns[position].appendNull()
          }
        }
        continue
      }
      for row in rows {
        do {
          try arrays.columns[position].append(row.contents[column.key] ?? .null)
        } catch {
          throw describe(error, row, node.table.keys[column.key].name)
        }
      }
    }
    for _ in rows { arrays.endRow() }
    return arrays
  }

  /// Adds the row and the key to the error of a value that cannot be stored.
  private func describe(_ error: any Error, _ row: GraphRow, _ key: String) -> any Error {
    if let error = error as? MappingError {
      return MappingError(
        error.code, model: node.name, key: key, path: row.path.appending(.key(key)),
        found: error.found, expected: error.expected)
    }
    guard var error = error as? StoreError else { return error }
    error.entity = node.name
    error.keys = [key]
    error.subject = "`\(node.name).\(key)` of \(row.description)"
    return error
  }

  func saveDeferredLinks(of rows: [GraphRow], batch: Int) throws {
    for link in deferredLinks {
      try statements.write(rows) { try saveDeferred(link, of: $0, batch: batch) }
    }
  }

  private func saveDeferred(_ link: NodeLink, of rows: [GraphRow], batch: Int) throws {
    var ids = try statements.identities(of: rows.map { $0.target(of: link) }, link)
    try unlinkTargets(&ids, of: rows, link)
    var arrays = RowArrays([.int8, .int8])
    for (row, id) in zip(rows, ids) {
      arrays.columns[0].append(row.rowID ?? 0)
      if let id { arrays.columns[1].append(id) }
      arrays.endRow()
    }
    let position = link.relationship.positionColumn.map { ", \(quotedName($0)) = NULL" } ?? ""
    let result = try connection.query(
      "UPDATE \(table) AS s SET \(link.column) = i.c1\(position)"
        + " FROM \(RowArrays.source([.int8, .int8], as: "i")) WHERE s.\(node.identity) = i.c0"
        + " AND s.\(link.column) IS DISTINCT FROM i.c1 RETURNING i.n", arrays.arguments,
      isPrepared: arrays.isPrepared)
    for found in result.rows {
      let row = rows[Int(found.int64(0)) - 1]
      guard row.outcome != .inserted, let id = row.rowID, try noteUpdate(id, batch: batch)
      else { continue }
      if row.outcome == .unchanged { row.outcome = .updated }
    }
  }

  func update(_ rows: [GraphRow]) throws {
    if node.unique.isEmpty { return }
    let ids = try resolver.identities(of: rows.map(\.key), in: node.entity)
    // The rows with the same keys, in the order of their first rows.
    var groups: [[GraphRow]] = []
    var positions: [[Int]: Int] = [:]
    for (row, id) in zip(rows, ids) {
      row.rowID = id
      if id == nil { continue }
      let present = presentKeys(of: row)
      if let position = positions[present] {
        groups[position].append(row)
      } else {
        positions[present] = groups.count
        groups.append([row])
      }
    }
    for group in groups {
      let columns = presentKeys(of: group[0]).compactMap { Self.column($0, of: node) }
      if columns.isEmpty { continue }
      try statements.write(group) { try update(columns, of: $0) }
    }
  }

  /// Returns the indexes of the keys that a partial model changes.
  private func presentKeys(of row: GraphRow) -> [Int] {
    node.keys.indices.filter { index in
      !node.unique.contains(index) && (row.contents[index] != nil || row.toOneTargets[index] != nil)
    }
  }

  private func update(
    _ present: [(key: Int, link: NodeLink?, column: UpsertSQL.Column)], of rows: [GraphRow]
  ) throws {
    var targets: [Int: [Int64?]] = [:]
    for case (let index, let link?, _) in present {
      var ids = try statements.identities(of: rows.map { $0.target(of: link) }, link)
      try unlinkTargets(&ids, of: rows, link)
      targets[index] = ids
    }
    let arrays = try arrays(of: present, rows, targets)
    var arguments = arrays.arguments
    arguments.append(rows.map { $0.rowID ?? 0 })
    let assignments = present.enumerated().flatMap { index, column in
      ["\(column.column.name) = i.c\(index)"]
        + (column.column.position.map {
          [
            "\($0) = CASE WHEN s.\(column.column.name) IS NOT DISTINCT FROM i.c\(index) THEN s.\($0) END"
          ]
        } ?? [])
    }
    let stored = present.map { "s.\($0.column.name)" }.joined(separator: ", ")
    let new = present.indices.map { "i.c\($0)" }.joined(separator: ", ")
    let result = try connection.query(
      """
      UPDATE \(table) AS s SET \(assignments.joined(separator: ", ")) \
      FROM \(RowArrays.source(present.map(\.column.type) + [.int8], as: "i")) \
      WHERE s.\(node.identity) = i.c\(present.count) AND (\(stored)) IS DISTINCT FROM (\(new)) \
      RETURNING i.n
      """, arguments, isPrepared: arrays.isPrepared)
    let names = present.map { node.table.keys[$0.key].name }
    for found in result.rows {
      let row = rows[found.int(0) - 1]
      guard let id = row.rowID else { continue }
      row.outcome = try log?.outcome(ofUpdating: id, names) ?? .updated
    }
  }

  /// Removes the one-to-one links of other rows to the targets of rows. If
  /// several rows have the same target, the last one is linked to it.
  private func unlinkTargets(
    _ targets: inout [Int64?], of rows: [GraphRow], _ link: NodeLink
  ) throws {
    guard link.relationship.isOneToOne else { return }
    var seen: Set<Int64> = []
    for index in targets.indices.reversed() {
      if let id = targets[index], !seen.insert(id).inserted { targets[index] = nil }
    }
    if seen.isEmpty { return }
    let keys = IdentifyingColumns(node.entity, statements.session.schema.compiled)
    var arguments = PostgresArguments()
    var ids = PostgresArray(.int8)
    for id in targets { if let id { ids.append(id) } else { ids.appendNull() } }
    arguments.append(ids)
    var types: [PostgresType] = [.int8]
    var others = ""
    if !node.unique.isEmpty {
      for array in try resolver.keyRows(rows.map(\.key), of: node.entity).columns {
        arguments.append(array)
      }
      types += keys.types
      let stored = keys.names.map { "s.\($0)" }.joined(separator: ", ")
      let own = keys.names.indices.map { "i.c\($0 + 1)" }.joined(separator: ", ")
      others = " AND (\(stored)) IS DISTINCT FROM (\(own))"
    }
    try connection.query(
      "UPDATE \(table) AS s SET \(link.column) = NULL FROM \(RowArrays.source(types, as: "i"))"
        + " WHERE s.\(link.column) = i.c0\(others)", arguments,
      isPrepared: targets.count <= RowArrays.preparedCount)
  }
}

extension FieldContent {
  var integer: Int64? { if case .int64(let value) = self { value } else { nil } }
}
