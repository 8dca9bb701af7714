/// What saving a context would write: a value that can be kept and compared.
public struct PendingChanges: Sendable, Hashable {
  /// What saving would write of one entity.
  public struct EntityChanges: Sendable, Hashable {
    /// The rows that are new, in the order in which they were made.
    public internal(set) var inserted: [RowIdentity] = []
    /// The keys that have changed of rows that are stored, in declaration order.
    public internal(set) var updated: [RowIdentity: [String]] = [:]
    /// The rows that are to be deleted, in order of their identities.
    public internal(set) var deleted: [RowIdentity] = []
  }

  /// The changes by the names of the entities; without those that have none.
  public internal(set) var entities: [String: EntityChanges] = [:]

  /// Whether saving would write nothing.
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
  /// What saving would write.
  public var pendingChanges: PendingChanges { graph.pendingChanges }

  /// Whether saving would write something.
  public var hasChanges: Bool { graph.hasPending }
}
