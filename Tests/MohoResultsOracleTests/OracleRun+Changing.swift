import GRDB
import MohoRows
import MohoSQLite

extension OracleRun {
  func change() async throws {
    switch random.below(100) {
    case 0..<60: try writeStatements()
    case 60..<80: try saveModels()
    case 80..<90: try await editContext()
    case 90..<94: try await switchRequests()
    case 94..<95: try changeSchema()
    default: try await writeWithoutTransaction()
    }
  }

  private func statements() -> [String] {
    let count = random.chance(1, in: 12) ? 5 + random.below(30) : 1 + random.below(3)
    return (0..<count).map { _ in RandomStatements.statement(&random) }
  }

  /// Executes statements in a transaction of the store, with savepoints and failing
  /// statements.
  private func writeStatements() throws {
    let statements = statements()
    let usesSavepoint = random.chance(1, in: 4)
    let isRolledBack = random.chance(1, in: 2)
    let continuesAfterErrors = random.chance(3, in: 4)
    let fails = random.chance(1, in: 15)
    let split = random.below(statements.count + 1)
    struct Canceled: Error {}
    do {
      try store.write { writer in
        func execute(_ sql: String) throws {
          do {
            try writer.execute(sql: sql)
            log.append("  \(sql)")
          } catch {
            log.append("  \(sql) -- \(error)")
            // After an automatic rollback, no transaction is open.
            if !continuesAfterErrors || sql.contains("ROLLBACK") || sql.contains("99") {
              throw error
            }
          }
        }
        for sql in statements[..<split] { try execute(sql) }
        if usesSavepoint { try execute("SAVEPOINT s") }
        for sql in statements[split...] { try execute(sql) }
        if usesSavepoint {
          if isRolledBack { try execute("ROLLBACK TO s") }
          try execute("RELEASE s")
        }
        if fails { throw Canceled() }
      }
    } catch {
      log.append("  write failed: \(error)")
    }
    try endTransaction()
  }

  /// Ends a transaction that an error left open.
  private func endTransaction() throws {
    try store.writer.writeWithoutTransaction { database in
      if database.isInsideTransaction { try database.rollback() }
    }
  }

  /// Executes statements that commit individually, or a transaction in SQL.
  private func writeWithoutTransaction() async throws {
    let statements = statements().prefix(3)
    if random.chance(1, in: 2) {
      for sql in statements {
        try commit(sql)
        try await settle()
      }
      return
    }
    try commit(Array(statements), end: random.chance(1, in: 5) ? "ROLLBACK" : "COMMIT")
  }

  private func commit(_ sql: String) throws {
    try store.writer.writeWithoutTransaction { execute("single", sql, $0) }
  }

  private func commit(_ statements: [String], end: String) throws {
    try store.writer.writeWithoutTransaction { database in
      try database.execute(sql: "BEGIN")
      for sql in statements where database.isInsideTransaction {
        execute("begun", sql, database)
      }
      guard database.isInsideTransaction else { return log.append("  ended automatically") }
      execute("end", end, database)
      if database.isInsideTransaction { try database.execute(sql: "ROLLBACK") }
    }
  }

  private func execute(_ what: String, _ sql: String, _ database: Database) {
    do {
      try database.execute(sql: sql)
      log.append("  \(what): \(sql)")
    } catch {
      log.append("  \(what): \(sql) -- \(error)")
    }
  }

  func writeOnSecondConnection() {
    let statements = statements()
    let continuesAfterErrors = random.chance(1, in: 2)
    do {
      try other.execute("BEGIN IMMEDIATE")
      for sql in statements {
        do {
          try other.execute(sql)
          log.append("  other: \(sql)")
        } catch {
          log.append("  other: \(sql) -- \(error)")
          if !continuesAfterErrors || other.isInAutocommit { throw error }
        }
      }
      if !other.isInAutocommit { try other.execute("COMMIT") }
    } catch {
      log.append("  other failed: \(error)")
      if !other.isInAutocommit { try? other.execute("ROLLBACK") }
    }
    isUnsettled = true
  }

  private func switchRequests() async throws {
    log.append("  switch requests")
    // Unreported external commits make a second step. A waiting consumer could
    // receive the state between both, which SQL does not read.
    if isUnsettled {
      for list in lists { try await list.finish(timeline) }
    }
    for list in lists { try list.switchRequest(&random) }
  }

  private func changeSchema() throws {
    let sql = RandomStatements.schemaStatement(&random)
    let usesSecondConnection = random.chance(1, in: 2)
    log.append("  \(usesSecondConnection ? "other: " : "")\(sql)")
    isSchemaChanged = true
    if usesSecondConnection {
      try other.execute(sql)
      isUnsettled = true
    } else {
      try store.write { try $0.execute(sql: sql) }
    }
  }
}
