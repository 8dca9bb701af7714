import MohoMapping

extension ContextGraph {
  /// What is to be done with the graph once rows are saved: what they are now
  /// is what the store has.
  ///
  /// Rows whose deletion was saved get a temporary identity, for the store may
  /// give theirs to another row.
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
        makeMembersNew(of: row)
      }
    }
    for (row, targets) in before {
      // What the store has linked to them is read when it is asked for.
      for index in records[row].members.keys { records[row].members[index]?.unload() }
      guard let targets, let merged = outcome.merged[row]?.targets else { continue }
      correctMembers(of: row, from: targets, to: merged)
    }
    touched = []
  }

  /// A row that is in no store has all members that it will ever have.
  private mutating func makeMembersNew(of row: Int) {
    for relationship in entity(of: row).relationships where relationship.slot == nil {
      var members = Members.none
      for member in records[row].members[relationship.index]?.known ?? [] {
        members.link(member, at: nil)
      }
      members.markSaved(positions: nil)
      records[row].members[relationship.index] = members
    }
  }

  /// Takes back all that is not saved.
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

/// What saving has made of rows.
struct SavedRows: Sendable {
  /// The identities that new rows have got.
  var identities: [Int: RowIdentity] = [:]
  /// The values that rows have, where they were merged with the store's.
  var merged: [Int: RowValues] = [:]
  /// Rows that the store has no longer.
  var gone: Set<Int> = []
  /// The positions that the store has for the members of orders.
  var positions: [MembersKey: [Int64?]] = [:]
}
