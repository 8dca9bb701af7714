import GRDB
public import MohoMapping

extension StoreWriter {
  /// The plan of saving models, without saving them.
  ///
  /// Saves the models, records each change and undoes all of it: the plan
  /// includes the effects of triggers, delete rules and saving rules.
  ///
  /// - Throws: As ``save(_:mode:)``.
  public func plan<Model: MappedModel>(
    saving models: [Model], mode: SaveMode<Model> = .save
  ) throws -> SavePlan {
    try plan { try $0.save(models, mode: mode) }
  }

  /// Carries out a plan.
  ///
  /// - Throws: ``StoreError`` of code ``StoreError/Code/planOutdated`` if rows
  ///   have changed so that the plan differs; as ``save(_:mode:)``. Nothing is
  ///   written then.
  @discardableResult
  public func apply(_ plan: SavePlan) throws -> SaveReport {
    try reader.perform { database in
      try withSavepoint(database) {
        let log = ChangeLog(session.schema.compiled, database)
        try log.begin()
        let report = try plan.save(self)
        let now = try log.plan(unchanged: report.unchanged, save: plan.save)
        guard now == plan else {
          throw StoreError(
            .planOutdated, reason: "rows that the plan depends on have changed since it was made",
            suggestion: "make another plan")
        }
        try log.end()
        return report
      }
    }
  }

  private func plan(
    _ save: @escaping @Sendable (StoreWriter) throws -> SaveReport
  ) throws -> SavePlan {
    var plan: SavePlan?
    do {
      try reader.perform { database in
        try withSavepoint(database) {
          let log = ChangeLog(session.schema.compiled, database)
          try log.begin()
          let report = try save(self)
          plan = try log.plan(unchanged: report.unchanged, save: save)
          throw Undo()
        }
      }
    } catch is Undo {}
    guard let plan else { throw StoreError(.database, reason: "the plan was not made") }
    return plan
  }
}

/// Rolls back a savepoint or a transaction.
private struct Undo: Error {}

extension ModelStore {
  /// The plan of saving models now, without saving them.
  ///
  /// Takes the time of saving, during which other writers wait. Observers of
  /// the store receive no commit.
  ///
  /// - Throws: As ``StoreWriter/save(_:mode:)``.
  public func plan<Model: MappedModel>(
    saving models: [Model], mode: SaveMode<Model> = .save
  ) throws -> SavePlan {
    var plan: SavePlan?
    do {
      try write { writer in
        plan = try writer.plan(saving: models, mode: mode)
        throw Undo()
      }
    } catch is Undo {}
    guard let plan else { throw StoreError(.database, reason: "the plan was not made") }
    return plan
  }

  /// Carries out a plan.
  ///
  /// - Throws: As ``StoreWriter/apply(_:)``.
  @discardableResult
  public func apply(_ plan: SavePlan) throws -> SaveReport {
    try write { try $0.apply(plan) }
  }
}
