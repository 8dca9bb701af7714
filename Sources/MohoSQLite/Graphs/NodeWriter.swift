import GRDB
import GRDBSQLite
import MohoMapping
import MohoRows

/// Writes the rows of one model with prepared statements.
final class NodeWriter: NodeRowWriter {
  private let sql: NodeSQL
  private var node: ModelNode { sql.node }
  private let wholeSchema: Schema
  private var schema: CompiledSchema { wholeSchema.compiled }
  private let database: Database
  private let failures: WriteFailures

  private var upsert: PreparedStatement?
  private var updates: [[Int]: PreparedStatement] = [:]
  /// The statements that write deferred links, by the indexes of the keys.
  private var deferredUpdates: [Int: (term: RowTerm, own: RowTerm, statement: PreparedStatement)] =
    [:]
  /// The statements that remove one-to-one links, by the indexes of the keys.
  private var removals:
    [Int: (term: RowTerm, own: IdentifyingColumns, statement: PreparedStatement)] = [:]
  private var lookup: RowLookup?
  /// The log of written rows, or nil if rows may be written several times.
  private let log: SavedRowLog?
  private let updatedRow: UpdatedRow?
  private var indexing: RepeatedIndexing

  /// - Parameters:
  ///   - failures: The errors of the call.
  ///   - log: The log of written rows, or nil if rows may be written several
  ///     times.
  init(
    _ sql: NodeSQL, _ schema: Schema, _ database: Database, _ failures: WriteFailures,
    log: SavedRowLog? = nil
  ) {
    self.sql = sql
    self.log = log
    updatedRow = log == nil ? nil : ConnectionFunctions.updatedRow(of: database)
    indexing = RepeatedIndexing(of: sql.node.entity.entity, database)
    wholeSchema = schema
    self.database = database
    self.failures = failures
  }

  func save(
    _ rows: [GraphRow], onlyInserting isOnlyInserted: (GraphRow) -> Bool, batch: Int
  ) throws {
    for row in rows {
      do {
        if isOnlyInserted(row) { try saveIfNew(row) } else { try save(row, batch: batch) }
      } catch {
        try failures.add(error, of: row)
      }
    }
  }

  /// Writes a row, except its deferred links.
  ///
  /// - Throws: A ``RepeatedRow`` if another batch has updated the row.
  private func save(_ row: GraphRow, batch: Int) throws {
    if node.entity.isKeyedByIdentity && row.key == .null {
      // SQLite would generate a row ID.
      throw MappingError(
        .unexpectedNull, model: node.name, key: node.entity.identityColumn, found: "null",
        expected: "integer")
    }
    try unlinkTargets(of: row, sql.linksWrittenAtOnce)
    let statement = try upsert ?? prepare(sql.upsert)
    upsert = statement
    try withErrors(about: row) {
      statement.clearBindings()
      try bind(row, to: statement)
      let identity: Int64? =
        if node.entity.isKeyedByIdentity, case .int64(let id) = row.key { id } else { nil }
      row.outcome = try statement.executeUpsert(identity: identity)
      if row.outcome == .inserted {
        let rowID = sqlite3_last_insert_rowid(database.sqliteConnection)
        row.rowID = rowID
        log?.recordInsertion(rowID)
      }
    }
    if row.outcome != .unchanged { try indexing.didWriteRow() }
    if row.outcome == .updated, try !noteUpdate(batch: batch) { row.outcome = .unchanged }
  }

  /// Records that a statement has updated a row.
  ///
  /// - Returns: Whether the call writes the row for the first time.
  /// - Throws: A ``RepeatedRow`` if another batch has updated the row.
  private func noteUpdate(batch: Int) throws -> Bool {
    guard let log, let updatedRow else { return true }
    switch log.recordUpdate(updatedRow.rowID, batch: batch) {
    case .first: return true
    case .ofCountedRow: return false
    case .repeated: throw RepeatedRow()
    }
  }

  /// Writes a row, except its deferred links, if no row has its unique key.
  private func saveIfNew(_ row: GraphRow) throws {
    if node.unique.isEmpty { return }
    let lookup = try self.lookup ?? RowLookup(node, schema, database)
    self.lookup = lookup
    if try !lookup.contains(row.key) { try save(row, batch: 0) }
  }

  func update(_ rows: [GraphRow]) throws {
    for row in rows { try update(row) }
  }

  private func update(_ row: GraphRow) throws {
    let present = node.keys.indices.filter { index in
      !node.unique.contains(index) && (row.contents[index] != nil || row.toOneTargets[index] != nil)
    }
    guard !node.unique.isEmpty, !present.isEmpty else { return }
    try unlinkTargets(
      of: row, node.links.filter { present.contains($0.index) && $0.storage == .column })
    let statement = try updates[present] ?? prepare(sql.update(present))
    updates[present] = statement
    try withErrors(about: row) {
      statement.clearBindings()
      try bind(row, to: statement, only: Set(present + node.unique))
      try statement.execute()
      if statement.changesCount > 0 {
        let names = present.map { node.table.keys[$0].name }
        row.outcome =
          try updatedRow.flatMap { try log?.outcome(ofUpdating: $0.rowID, names) } ?? .updated
        try indexing.didWriteRow()
      }
    }
  }

  func saveDeferredLinks(of rows: [GraphRow], batch: Int) throws {
    if sql.deferredLinks.isEmpty { return }
    for row in rows {
      do {
        try saveDeferredLinks(of: row, batch: batch)
      } catch {
        try failures.add(error, of: row)
      }
    }
  }

  private func saveDeferredLinks(of row: GraphRow, batch: Int) throws {
    for link in sql.deferredLinks {
      try unlinkTargets(of: row, [link])
      let (term, own, statement) = try deferredUpdates[link.index] ?? deferredUpdate(of: link)
      try withErrors(about: row) {
        statement.clearBindings()
        try term.bind(row.target(of: link), to: statement)
        try own.bind(.row(row), to: statement)
        try statement.execute()
        if statement.changesCount > 0, row.outcome != .inserted,
          try noteUpdate(batch: batch), row.outcome == .unchanged
        {
          row.outcome = .updated
        }
      }
    }
  }

  private func deferredUpdate(
    of link: NodeLink
  ) throws -> (term: RowTerm, own: RowTerm, statement: PreparedStatement) {
    let term = RowTerm(try schema.node(of: link.target), link.label, schema, first: 1)
    let own = RowTerm(node, node.name, schema, first: term.next)
    let statement = try prepare(
      UpsertSQL(
        table: quotedName(node.name), identity: node.identity, key: [node.identity],
        columns: [
          UpsertSQL.Column(name: node.identity, value: own.sql), NodeSQL.column(of: link, term),
        ]
      ).update)
    deferredUpdates[link.index] = (term, own, statement)
    return (term, own, statement)
  }

  /// Removes the one-to-one links of other rows to the targets of a row.
  private func unlinkTargets(of row: GraphRow, _ links: [NodeLink]) throws {
    for link in links where link.relationship.isOneToOne {
      let target = row.target(of: link)
      if case .nothing = target { continue }
      let (term, own, statement) = try removals[link.index] ?? removal(of: link)
      try withErrors(about: row) {
        statement.clearBindings()
        try term.bind(target, to: statement)
        if !node.unique.isEmpty { try own.bind(row.key, to: statement, first: term.next) }
        try statement.execute()
      }
    }
  }

  private func removal(
    of link: NodeLink
  ) throws -> (term: RowTerm, own: IdentifyingColumns, statement: PreparedStatement) {
    let term = RowTerm(try schema.node(of: link.target), link.label, schema, first: 1)
    let own = IdentifyingColumns(node.entity, schema)
    let others = node.unique.isEmpty ? "" : " AND \(own.negation(first: term.next))"
    let statement = try prepare(
      "UPDATE \(quotedName(node.name)) SET \(link.column) = NULL"
        + " WHERE \(link.column) = \(term.sql)\(others)")
    removals[link.index] = (term, own, statement)
    return (term, own, statement)
  }

  private func bind(
    _ row: GraphRow, to statement: PreparedStatement, only keys: Set<Int>? = nil
  ) throws {
    for (index, value) in sql.values.enumerated() where keys?.contains(index) != false {
      switch value {
      case nil: break
      case .content(let parameter):
        if let content = row.contents[index] { try statement.bind(content, at: parameter) }
      case .row(let link, let term):
        if keys != nil || !sql.isDeferred(link) {
          try term.bind(row.target(of: link), to: statement)
        }
      }
    }
  }

  private func withErrors(about row: GraphRow, _ body: () throws -> Void) throws {
    do {
      try body()
    } catch let error as DatabaseError {
      var error = StoreError(error, subject: row.description, schema: wholeSchema)
      error.name(row)
      throw error
    }
  }

  private func prepare(_ sql: String) throws -> PreparedStatement {
    try PreparedStatement(database, sql, reusesMemory: true)
  }
}
