import MohoRows

extension PostgresSession {
  func plan(_ save: @escaping @Sendable (StoreWriter) throws -> SaveReport) throws -> SavePlan {
    let connection = try connection
    return try connection.withSavepoint {
      let log = ChangeLog(schema.compiled, connection)
      try log.begin()
      let writer = StoreWriter(session: self)
      let report = try writer.checkingRules { try save(writer) }
      let plan = try log.plan(unchanged: report.unchanged, save: save)
      try connection.undoToSavepoint()
      return plan
    }
  }

  // The models are saved twice: a trigger cannot be dropped while foreign keys
  // wait for the end of the transaction.
  func apply(_ plan: SavePlan) throws -> SaveReport {
    try plan.check(self.plan(plan.save))
    return try plan.save(StoreWriter(session: self))
  }
}
