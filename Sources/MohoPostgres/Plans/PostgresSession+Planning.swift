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
    guard try self.plan(plan.save) == plan else {
      throw StoreError(
        .planOutdated, reason: "rows have changed since the plan was made",
        suggestion: "make another plan")
    }
    return try plan.save(StoreWriter(session: self))
  }
}
