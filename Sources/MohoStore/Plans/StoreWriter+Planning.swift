import GRDB
public import MohoMapping

extension StoreWriter {
  /// What saving models would write.
  ///
  /// They are saved, what that changes is noted row by row, and all of it is
  /// undone: the plan has what triggers, delete rules and saving rules do.
  ///
  /// - Throws: As ``save(_:mode:)``.
  public func plan<Model: MappedModel>(
    saving models: [Model], mode: SaveMode<Model> = .save
  ) throws -> SavePlan {
    try plan { try $0.save(models, mode: mode) }
  }

  /// Carries out a plan.
  ///
  /// - Throws: ``StoreError`` of code ``StoreError/Code/planOutdated`` where rows
  ///   have changed since so that something else would be written; as
  ///   ``save(_:mode:)``. Nothing is written then.
  @discardableResult
  public func apply(_ plan: SavePlan) throws -> SaveReport {
    try reader.perform { database in
      try withSavepoint(database) {
        let log = ChangeLog(session.schema, database)
        try log.begin()
        let report = try plan.save(self)
        let now = try log.plan(unchanged: report.unchanged, save: plan.save)
        guard now == plan else {
          throw StoreError(
            .planOutdated, reason: "the rows that the plan rests on have changed since it was made",
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
          let log = ChangeLog(session.schema, database)
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

/// Ends a savepoint or a transaction whose changes are not to stay.
private struct Undo: Error {}

extension ModelStore {
  /// What saving models would write, if it came now.
  ///
  /// It takes the time of saving, during which other writers wait, and leaves
  /// nothing behind: nobody who observes the store is told.
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
