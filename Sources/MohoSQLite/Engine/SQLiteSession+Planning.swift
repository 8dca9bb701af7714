import GRDB
import MohoRows

extension SQLiteSession {
  func plan(_ save: @escaping @Sendable (StoreWriter) throws -> SaveReport) throws -> SavePlan {
    var plan: SavePlan?
    do {
      try perform { database in
        try withSavepoint(database) {
          let log = ChangeLog(schema.compiled, database)
          try log.begin()
          let report = try save(StoreWriter(session: self))
          plan = try log.plan(unchanged: report.unchanged, save: save)
          throw Rollback()
        }
      }
    } catch is Rollback {}
    guard let plan else { throw StoreError(.database, reason: "the plan was not made") }
    return plan
  }

  func apply(_ plan: SavePlan) throws -> SaveReport {
    try perform { database in
      try withSavepoint(database) {
        let log = ChangeLog(schema.compiled, database)
        try log.begin()
        let report = try plan.save(StoreWriter(session: self))
        let now = try log.plan(unchanged: report.unchanged, save: plan.save)
        guard now == plan else {
          throw StoreError(
            .planOutdated, reason: "rows have changed since the plan was made",
            suggestion: "make another plan")
        }
        try log.end()
        return report
      }
    }
  }
}

/// Ends a savepoint whose changes are undone.
private struct Rollback: Error {}
