public import MohoMapping

extension StoreWriter {
  /// Returns the changes that saving models would make.
  ///
  /// The models are saved, each changed row is recorded, and all changes are
  /// undone. Therefore, the plan includes the changes of triggers, delete rules
  /// and saving rules.
  ///
  /// - Throws: The errors of ``save(_:mode:progress:)``.
  public func plan<Model: MappedModel>(
    saving models: [Model], mode: SaveMode<Model> = .save
  ) throws -> SavePlan {
    try uncounted { try session.plan { try $0.save(models, mode: mode) } }
  }

  /// Applies the changes of a plan.
  ///
  /// - Throws: The errors of ``save(_:mode:progress:)``, and a ``StoreError`` with the
  ///   code ``StoreError/Code/planOutdated`` if rows have changed since the
  ///   plan was created, so that saving would make other changes. Nothing is
  ///   saved in this case.
  @discardableResult
  public func apply(_ plan: SavePlan) throws -> SaveReport {
    reported(try uncounted { try session.apply(plan) })
  }
}

extension ModelStore {
  /// Returns the changes that saving models would make now.
  ///
  /// Planning takes as long as saving, and other writers wait during this time.
  /// The store is not changed, and observers receive nothing.
  ///
  /// - Throws: The errors of ``StoreWriter/save(_:mode:progress:)``.
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

  /// Applies the changes of a plan.
  ///
  /// - Throws: The errors of ``StoreWriter/apply(_:)``.
  @discardableResult
  public func apply(_ plan: SavePlan) throws -> SaveReport {
    try write { try $0.apply(plan) }
  }
}

/// An error that ends a transaction to undo its changes.
struct Rollback: Error {}
