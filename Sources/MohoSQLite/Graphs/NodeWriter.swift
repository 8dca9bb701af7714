import GRDB
import GRDBSQLite
import MohoMapping
import MohoRows

/// Writes the rows of one model with prepared statements.
final class NodeWriter: NodeRowWriter {
  private let node: ModelNode
  private let wholeSchema: Schema
  private var schema: CompiledSchema { wholeSchema.compiled }
  private let database: Database
  private let failures: WriteFailures
  /// The links whose columns are written after all rows have been written.
  private let deferredLinks: [NodeLink]

  /// The parameters of the columns, by the indexes of the keys.
  private var parameters: [Int32?]
  /// The expressions of link columns, by the indexes of the keys.
  private var terms: [RowTerm?]

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
  ///   - deferredLinks: The indexes of the links whose columns are written after all
  ///     rows have been written.
  ///   - failures: The errors of the call.
  ///   - log: The log of written rows, or nil if rows may be written several
  ///     times.
  init(
    _ node: ModelNode, deferring deferredLinks: Set<Int>, _ schema: Schema,
    _ database: Database, _ failures: WriteFailures, log: SavedRowLog? = nil
  ) throws {
    self.log = log
    updatedRow = log == nil ? nil : ConnectionFunctions.updatedRow(of: database)
    indexing = RepeatedIndexing(of: node.entity.entity, database)
    self.node = node
    wholeSchema = schema
    self.database = database
    self.failures = failures
    self.deferredLinks = node.links.filter { deferredLinks.contains($0.index) }
    parameters = Array(repeating: nil, count: node.keys.count)
    terms = Array(repeating: nil, count: node.keys.count)
    var next: Int32 = 1
    for (index, key) in node.keys.enumerated() {
      switch key {
      case .unstored: break
      case .column:
        parameters[index] = next
        next += 1
      case .link(let link):
        guard link.storage == .column else { continue }
        let term = RowTerm(
          try schema.compiled.node(of: link.target), link.label, schema.compiled, first: next)
        terms[index] = term
        next = term.next
      }
    }
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
    try unlinkTargets(of: row, node.links.filter { isWrittenAtOnce($0) })
    let statement = try upsert ?? prepare(upsertSQL)
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
    let statement = try updates[present] ?? prepare(updateSQL(present))
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
    if deferredLinks.isEmpty { return }
    for row in rows {
      do {
        try saveDeferredLinks(of: row, batch: batch)
      } catch {
        try failures.add(error, of: row)
      }
    }
  }

  private func saveDeferredLinks(of row: GraphRow, batch: Int) throws {
    for link in deferredLinks {
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
          UpsertSQL.Column(name: node.identity, value: own.sql), column(of: link, term),
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

  private func isWrittenAtOnce(_ link: NodeLink) -> Bool {
    link.storage == .column && !deferredLinks.contains { $0.index == link.index }
  }

  private func bind(
    _ row: GraphRow, to statement: PreparedStatement, only keys: Set<Int>? = nil
  ) throws {
    for (index, key) in node.keys.enumerated() where keys?.contains(index) != false {
      switch key {
      case .unstored: break
      case .column:
        if let content = row.contents[index], let parameter = parameters[index] {
          try statement.bind(content, at: parameter)
        }
      case .link(let link):
        if isWrittenAtOnce(link) || keys != nil {
          try terms[index]?.bind(row.target(of: link), to: statement)
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

extension NodeWriter {
  private func sql(_ columns: [UpsertSQL.Column], placeholders: [String] = []) -> UpsertSQL {
    UpsertSQL(
      table: quotedName(node.name), identity: node.identity,
      key: node.unique.map { quotedName(node.table.keys[$0].name) }, columns: columns,
      placeholders: placeholders)
  }

  private func column(_ index: Int) -> UpsertSQL.Column? {
    if let parameter = parameters[index] {
      return UpsertSQL.Column(
        name: quotedName(node.table.keys[index].name), value: "?\(parameter)",
        merge: node.columnMerges[index])
    }
    guard case .link(let link) = node.keys[index], let term = terms[index] else { return nil }
    return column(of: link, term)
  }

  private func column(of link: NodeLink, _ term: RowTerm) -> UpsertSQL.Column {
    UpsertSQL.Column(
      name: link.column, value: term.sql,
      position: link.relationship.positionColumn.map { quotedName($0) })
  }

  /// The statement that inserts a row. If a row has the same unique key, it is
  /// updated if a column differs.
  private var upsertSQL: String {
    let now = node.keys.indices.filter { index in !deferredLinks.contains { $0.index == index } }
    return sql(
      now.compactMap(column),
      placeholders: deferredLinks.filter { !$0.relationship.isOptional }.map(\.column)
    ).upsert
  }

  private func updateSQL(_ present: [Int]) -> String {
    sql((node.unique + present).compactMap(column)).update
  }
}
