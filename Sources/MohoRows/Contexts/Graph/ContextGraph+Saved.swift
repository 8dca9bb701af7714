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
    for (row, values) in outcome.merged {
      records[row].current = values
      records[row].isAlive = true
    }
    for (row, identity) in outcome.identities { rename(row, to: identity) }
    for row in touched {
      if outcome.gone.contains(row) { records[row].isAlive = false }
      let wasStored = records[row].isStored
      records[row].isStored = records[row].isAlive
      records[row].base = records[row].isAlive ? records[row].current : nil
      for index in records[row].members.keys {
        records[row].members[index]?.markSaved(
          positions: outcome.positions[MembersKey(owner: row, relationship: index)])
      }
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
    touched = []
  }

  /// Marks all members of a row as loaded. A row that is not stored has no
  /// stored members.
  private mutating func markMembersLoaded(of row: Int) {
    for relationship in entity(of: row).relationships where relationship.slot == nil {
      var members = Members.none
      for member in records[row].members[relationship.index]?.available ?? [] {
        members.link(member, at: nil)
      }
      members.markSaved(positions: nil)
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
    touched = []
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
