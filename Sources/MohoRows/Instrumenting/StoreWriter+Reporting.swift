import MohoMapping

extension StoreWriter {
  /// Returns the report of a call that has saved models, after adding its rows to those of the
  /// transaction.
  @inline(__always)
  func reported(_ report: SaveReport, _ model: (any MappedModel.Type)? = nil) -> SaveReport {
    #if Metrics || Tracing
      StoreActivity.current?.note { $0.add(report, of: model?.entityName) }
    #endif
    return report
  }

  /// Returns the number of rows that a call has deleted, after adding it to that of the
  /// transaction.
  @inline(__always)
  func reported(deleted count: Int, _ model: (any MappedModel.Type)? = nil) -> Int {
    _ = reported(SaveReport(deleted: count), model)
    return count
  }

  /// Runs a closure whose saved rows do not count: they are undone, or the caller reports them.
  @inline(__always)
  func uncounted<Result>(_ body: () throws -> Result) rethrows -> Result {
    #if Metrics || Tracing
      let activity = StoreActivity.current
      let rows = activity?.rows
      defer { if let rows { activity?.rows = rows } }
    #endif
    return try body()
  }

  /// Adds the rows that a context writes.
  @inline(__always)
  func report(_ plan: ContextPlan) {
    #if Metrics || Tracing
      StoreActivity.current?.note { $0.add(SaveReport(plan), of: nil) }
    #endif
  }
}

#if Metrics || Tracing
  extension SaveReport {
    /// The rows that a plan inserts, updates and deletes.
    fileprivate init(_ plan: ContextPlan) {
      let steps = plan.steps
      let deleted = steps.count { step in
        if case .delete = step { true } else { false }
      }
      self.init(inserted: plan.inserts.count, updated: steps.count - deleted, deleted: deleted)
    }
  }
#endif

extension RequestSQL {
  /// Adds the entity of the request to those of the transaction.
  @inline(__always)
  func report() {
    #if Metrics || Tracing
      StoreActivity.current?.note { $0.add(entity.name) }
    #endif
  }
}
