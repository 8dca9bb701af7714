import GRDB
import MohoRows

extension SQLiteSession {
  func plan(_ save: @escaping @Sendable (StoreWriter) throws -> SaveReport) throws -> SavePlan {
    try perform { database in
      try undoingChanges(on: database) {
        let log = ChangeLog(schema.compiled, database)
        try log.begin()
        let writer = StoreWriter(session: self)
        let report = try writer.checkingRules { try save(writer) }
        return try log.plan(unchanged: report.unchanged, save: save)
      }
    }
  }

  func apply(_ plan: SavePlan) throws -> SaveReport {
    try perform { database in
      try withSavepoint(database) { _ in
        let log = ChangeLog(schema.compiled, database)
        try log.begin()
        let report = try plan.save(StoreWriter(session: self))
        let now = try log.plan(unchanged: report.unchanged, save: plan.save)
        try plan.check(now)
        try log.end()
        return report
      }
    }
  }
}
