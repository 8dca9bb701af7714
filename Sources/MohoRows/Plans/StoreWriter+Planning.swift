public import MohoMapping

extension StoreWriter {
  /// The changes that saving models would make.
  ///
  /// The models are saved, each changed row is recorded, and all changes are
  /// undone. So the plan includes the changes of triggers, delete rules and
  /// saving rules.
  ///
  /// - Throws: As ``save(_:mode:)``.
  public func plan<Model: MappedModel>(
    saving models: [Model], mode: SaveMode<Model> = .save
  ) throws -> SavePlan {
    try session.plan { try $0.save(models, mode: mode) }
  }

  /// Makes the changes of a plan.
  ///
  /// - Throws: ``StoreError`` of code ``StoreError/Code/planOutdated`` if rows
  ///   have changed since the plan was made, so that saving would make other
  ///   changes; as ``save(_:mode:)``. Nothing is saved then.
  @discardableResult
  public func apply(_ plan: SavePlan) throws -> SaveReport { try session.apply(plan) }
}

extension ModelStore {
  /// The changes that saving models would make now.
  ///
  /// This takes as long as saving. Other writers wait meanwhile. Nothing is
  /// changed in the end, and observers receive nothing.
  ///
  /// - Throws: As ``StoreWriter/save(_:mode:)``.
  public func plan<Model: MappedModel>(
    saving models: [Model], mode: SaveMode<Model> = .save
  ) throws -> SavePlan {
    var plan: SavePlan?
    do {
      try write { writer in
        plan = try writer.plan(saving: models, mode: mode)
        throw Rollback()
      }
    } catch is Rollback {}
    guard let plan else { throw StoreError(.database, reason: "the plan was not made") }
    return plan
  }

  /// Makes the changes of a plan.
  ///
  /// - Throws: As ``StoreWriter/apply(_:)``.
  @discardableResult
  public func apply(_ plan: SavePlan) throws -> SaveReport {
    try write { try $0.apply(plan) }
  }
}

/// Ends a transaction whose changes are undone.
private struct Rollback: Error {}
