import MohoMapping

extension ContextGraph {
  /// Marks the current rows as stored after saving.
  ///
  /// Rows whose deletion was saved get a temporary identity, because the store
  /// may assign their identity to another row.
  mutating func markSaved(_ outcome: SavedRows) {
    let before = outcome.merged.keys.map { row in
      (row, records[row].current?.targets)
    }
    let restored = Set(outcome.merged.keys.filter { !records[$0].isAlive })
    for (row, values) in outcome.merged {
      records[row].current = values
      records[row].isAlive = true
    }
    for (row, identity) in outcome.identities { rename(row, to: identity) }
    for row in outcome.gone { records[row].isAlive = false }
    clearLinks(to: outcome.gone)
    for row in touched {
      let wasStored = records[row].isStored
      records[row].isStored = records[row].isAlive
      records[row].base = records[row].isAlive ? records[row].current : nil
      if let targets = records[row].base?.targets {
        let visible = visibleTargets(targets, of: entity(of: row))
        records[row].base?.targets = visible
      }
      for index in records[row].members.keys { markMembersSaved(of: row, index, outcome, restored) }
      if wasStored && !records[row].isAlive {
        if records[row].current == nil { records[row].current = entity(of: row).defaults }
        rename(row, to: .makeTemporary(records[row].identity.entity))
        markMembersLoaded(of: row)
      }
    }
    for (row, targets) in before {
      // The links are read from the store again when they are next accessed.
      for index in records[row].members.keys { records[row].members[index]?.unload() }
      guard let targets, let merged = outcome.merged[row]?.targets else { continue }
      correctMembers(of: row, from: targets, to: merged)
    }
    // The deletion of the linked rows can still be undone.
    touched = touched.filter { hasDeletedLink($0) }
  }

  /// - Parameter restored: Rows that were not deleted, because they have changed
  ///   in the store.
  private mutating func markMembersSaved(
    of row: Int, _ index: Int, _ outcome: SavedRows, _ restored: Set<Int>
  ) {
    guard var members = records[row].members[index] else { return }
    let losesRestored =
      !restored.isEmpty && members.edits.removed.contains { restored.contains($0) }
    members.markSaved(positions: outcome.positions[MembersKey(owner: row, relationship: index)]) {
      records[$0].isAlive
    }
    // The store still has the links of restored rows.
    if losesRestored { members.unload() }
    records[row].members[index] = members
  }

  /// Returns whether a row has links to deleted rows.
  private func hasDeletedLink(_ row: Int) -> Bool {
    guard mayHaveDeletedRows, records[row].isAlive else { return false }
    return hasDeletedTarget(row)
      || records[row].members.values.contains { members in
        members.available.contains { !records[$0].isAlive }
      }
  }

  /// Marks all members of a row as loaded. A row that is not stored has no
  /// stored members.
  private mutating func markMembersLoaded(of row: Int) {
    for relationship in entity(of: row).relationships where relationship.slot == nil {
      var members = Members.none
      for member in records[row].members[relationship.index]?.available ?? [] {
        members.link(member, at: nil)
      }
      records[row].members[relationship.index] = members
    }
  }

  /// Reverts all unsaved changes.
  mutating func rollback() {
    for row in touched {
      records[row].isAlive = records[row].isStored
      if records[row].isStored { records[row].current = records[row].base }
      for index in records[row].members.keys { records[row].members[index]?.revert() }
    }
    touched = touched.filter { hasDeletedLink($0) }
    _ = takeJournal()
  }
}

/// The members of one row by one relationship.
struct MembersKey: Hashable, Sendable {
  let owner: Int
  let relationship: Int
}

/// The results of saving.
struct SavedRows: Sendable {
  /// The identities of new rows.
  var identities: [Int: RowIdentity] = [:]
  /// The values of rows that were merged with the store.
  var merged: [Int: RowValues] = [:]
  /// Rows that are no longer in the store.
  var gone: Set<Int> = []
  /// The stored positions of the members of ordered relationships.
  var positions: [MembersKey: [Int64?]] = [:]
}
