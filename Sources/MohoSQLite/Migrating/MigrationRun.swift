import GRDB
import MohoRows

/// Executes the steps of a migration on a connection.
struct MigrationRun {
  /// Whether links must be checked at the end, because a step replaced a table, or
  /// could write or delete any row. Foreign keys are off during a migration.
  private(set) var mayBreakLinks = false

  private let database: Database
  private let onProgress: (@Sendable (MigrationProgress) throws -> Void)?
  private var step = 0

  init(
    _ database: Database, _ onProgress: (@Sendable (MigrationProgress) throws -> Void)?
  ) {
    self.database = database
    self.onProgress = onProgress
  }

  /// Executes the steps of a declared migration.
  mutating func declared(_ migration: Migration, _ schema: Schema) throws {
    for (index, declared) in migration.steps.enumerated() {
      step += 1
      let summary = "\(migration.name): \(declared.summary)"
      let count = step + migration.steps.count - index - 1
      do {
        try report(summary, 0, of: count)
        switch declared {
        case .convert, .sql, .run: mayBreakLinks = true
        case .rename, .transform, .discard, .keep: break
        }
        var stored = try StoredSchema(database)
        try stored.readTables(database, for: schema)
        let tables = TableNames(of: schema).adding(stored.tables.map(\.name))
        try run(declared, stored, tables) { try report(summary, $0, of: count) }
        try TemporaryTables.check(database, hiding: tables)
      } catch let error as DatabaseError {
        throw StoreError(
          StoreError(error, subject: nil, schema: schema), in: declared, of: migration)
      } catch {
        throw StoreError(error, in: declared, of: migration)
      }
    }
  }

  private func run(
    _ step: DeclaredStep, _ stored: StoredSchema, _ tables: TableNames,
    _ progress: (Int) throws -> Void
  ) throws {
    switch step {
    case .rename(let renaming):
      var stored = stored
      guard let rename = stored.rename(renaming) else {
        throw StoreError(impossible: renaming)
      }
      for sql in rename.sql { try database.execute(sql: sql) }
    case .transform(let transform): try transform.run(database, stored, progress: progress)
    case .convert(let conversion): try conversion.run(database, stored, progress)
    case .discard, .keep: break
    case .sql(let sql): try database.execute(AppSQL(sql), tables)
    case .run(_, let step as DatabaseStep): try step.body(database)
    case .run(let summary, let step):
      throw StoreError(unsupported: step, summary)
    }
  }

  /// Executes an inferred step.
  mutating func perform(_ inferred: MigrationStep, of count: Int) throws {
    step += 1
    let total = max(count, step)
    try report(inferred.summary, 0, of: total)
    if inferred.renames {
      for sql in inferred.sql { try database.execute(sql: sql) }
      return
    }
    try withoutUpdatingReferences(database) {
      for (index, sql) in inferred.sql.enumerated() {
        if index == 1, let copy = inferred.copy {
          try self.copy(copy) { try report(inferred.summary, $0, of: total) }
        } else {
          try database.execute(sql: sql)
        }
      }
    }
    if inferred.copy != nil { mayBreakLinks = true }
  }

  /// Moves unknown members.
  mutating func perform(_ moves: MemberMoves, _ schema: Schema) throws {
    guard !moves.steps.isEmpty else { return }
    step += 1
    let run = self
    try run.report(moves.summary, 0, of: step)
    try SQLiteSession.run(on: database, SchemaStatements(schema)) { session in
      try moves.run(session, { try run.database.contents($0, $1) }) {
        try run.report(moves.summary, $0, of: run.step)
      }
    }
  }

  /// Copies rows in batches, sorted by identity.
  private func copy(_ copy: TableCopy, _ progress: (Int) throws -> Void) throws {
    let identity = quotedName(copy.identity)
    let end = try database.makeStatement(
      sql: """
        SELECT max(id) FROM (
          SELECT \(identity) AS id FROM \(quotedName(copy.source))
          WHERE \(identity) >= ? ORDER BY \(identity) LIMIT 10000)
        """)
    let insert = try database.makeStatement(sql: copy.sql(isPart: true))
    var (next, count): (Int64?, Int) = (.min, 0)
    while let first = next {
      next = nil
      let row = try Row.fetchOne(end, arguments: [first])
      guard let row, let last = Int64.fromDatabaseValue(row[0]) else { return }
      try insert.execute(arguments: [first, last])
      count += database.changesCount
      try progress(count)
      next = last == .max ? nil : last + 1
    }
  }

  private func report(_ summary: String, _ rows: Int, of count: Int) throws {
    try onProgress?(
      MigrationProgress(step: step, stepCount: count, summary: summary, rows: rows))
  }
}
