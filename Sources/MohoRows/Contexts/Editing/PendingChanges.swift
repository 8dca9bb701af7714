/// The unsaved changes of a context.
public struct PendingChanges: Sendable, Hashable {
  /// The unsaved changes of one entity.
  public struct EntityChanges: Sendable, Hashable {
    /// The new rows, in insertion order.
    public internal(set) var inserted: [RowIdentity] = []
    /// The changed keys of stored rows, in declaration order.
    public internal(set) var updated: [RowIdentity: [String]] = [:]
    /// The deleted rows, sorted by identity.
    public internal(set) var deleted: [RowIdentity] = []
  }

  /// The changes by entity name. Entities without changes are omitted.
  public internal(set) var entities: [String: EntityChanges] = [:]

  /// A Boolean value indicating whether there are no unsaved changes.
  public var isEmpty: Bool { entities.isEmpty }
}

extension ContextGraph {
  var pendingChanges: PendingChanges {
    var changes = PendingChanges()
    for row in pending {
      let record = records[row]
      let name = record.identity.entity
      switch (record.isStored, record.isAlive) {
      case (false, _): changes.entities[name, default: .init()].inserted.append(record.identity)
      case (true, false): changes.entities[name, default: .init()].deleted.append(record.identity)
      case (true, true):
        changes.entities[name, default: .init()].updated[record.identity] = changedKeys(of: row)
      }
    }
    return changes
  }
}

extension EditingContext {
  /// The unsaved changes of the context.
  public var pendingChanges: PendingChanges { graph.pendingChanges }

  /// A Boolean value indicating whether the context has unsaved changes. True also
  /// if a row has refused an assignment, which the next ``save()`` reports.
  public var hasChanges: Bool { graph.hasPending || !refusedAssignments.isEmpty }
}
