extension ContextGraph {
  /// Returns the rows that a row is linked to, as far as they are loaded. A
  /// deleted row is returned only if its delete rules do not clear the link.
  func partners(of row: Int, _ relationship: CompiledRelationship) -> [Int] {
    if let slot = relationship.slot {
      guard let target = records[row].current?.targets[slot], !isHidden(target, relationship)
      else { return [] }
      return [target]
    }
    let members = records[row].members[relationship.index]?.available ?? []
    return mayHaveDeletedRows ? members.filter { records[$0].isAlive } : members
  }

  /// Returns whether a row is linked to another one, according to the loaded
  /// links.
  func isLinked(_ owner: Int, _ relationship: CompiledRelationship, _ member: Int) -> Bool {
    if relationship.slot != nil { return partners(of: owner, relationship).contains(member) }
    if let known = records[owner].members[relationship.index]?.contains(member) { return known }
    // The column of the inverse may be loaded.
    guard let inverse = inverse(of: relationship), inverse.slot != nil else { return false }
    return partners(of: member, inverse).contains(owner)
  }

  func inverse(of relationship: CompiledRelationship) -> CompiledRelationship? {
    relationship.inverse.map { schema.entities[relationship.destination].relationships[$0] }
  }

  /// Links a row to another one at both ends. A to-one end loses its former
  /// link.
  mutating func link(
    _ owner: Int, _ relationship: CompiledRelationship, to member: Int, at position: Int? = nil
  ) {
    guard !isLinked(owner, relationship, member) else { return }
    if !relationship.isToMany {
      for other in partners(of: owner, relationship) { unlink(owner, relationship, from: other) }
    }
    let inverse = inverse(of: relationship)
    if let inverse, !inverse.isToMany {
      for other in partners(of: member, inverse) { unlink(other, relationship, from: member) }
    }
    attach(owner, relationship, member, at: position)
    if let inverse, !(inverse == relationship && owner == member) {
      attach(member, inverse, owner, at: nil)
    }
  }

  /// Unlinks a row from another one at both ends.
  mutating func unlink(_ owner: Int, _ relationship: CompiledRelationship, from member: Int) {
    detach(owner, relationship, member)
    if let inverse = inverse(of: relationship), !(inverse == relationship && owner == member) {
      detach(member, inverse, owner)
    }
  }

  private mutating func attach(
    _ row: Int, _ relationship: CompiledRelationship, _ other: Int, at position: Int?
  ) {
    if let slot = relationship.slot {
      let old = records[row].current?.targets[slot]
      perform(.target(row: row, slot: slot, old: old, new: other))
    } else if records[row].members[relationship.index]?.contains(other) != true {
      let position = position.map { memberIndex(of: $0, in: row, relationship) }
      perform(
        .link(owner: row, relationship: relationship.index, member: other, position: position))
    }
  }

  /// Returns the index at which a member has to be inserted to get a position
  /// among the members that are not deleted.
  private func memberIndex(
    of position: Int, in owner: Int, _ relationship: CompiledRelationship,
    without moved: Int? = nil
  ) -> Int {
    guard mayHaveDeletedRows else { return position }
    let members = (records[owner].members[relationship.index]?.available ?? [])
      .filter { $0 != moved }
    let visible = members.indices.filter { records[members[$0]].isAlive }
    return visible.indices.contains(position) ? visible[position] : members.count
  }

  mutating func detach(_ row: Int, _ relationship: CompiledRelationship, _ other: Int) {
    if let slot = relationship.slot {
      if records[row].current?.targets[slot] == other {
        perform(.target(row: row, slot: slot, old: other, new: nil))
      }
    } else if records[row].members[relationship.index]?.contains(other) != false {
      perform(
        .unlink(owner: row, relationship: relationship.index, member: other, position: nil))
    }
  }

  /// Moves a member of an ordered relationship.
  mutating func move(_ owner: Int, _ relationship: CompiledRelationship, from: Int, to: Int) {
    let members = partners(of: owner, relationship)
    guard from != to, members.indices.contains(from),
      let index = records[owner].members[relationship.index]?.available
        .firstIndex(of: members[from])
    else { return }
    let new = memberIndex(of: to, in: owner, relationship, without: members[from])
    perform(.move(owner: owner, relationship: relationship.index, from: index, to: new))
  }

  /// Records that all members of a row have been assigned.
  mutating func recordAssignment(_ owner: Int, _ relationship: CompiledRelationship) {
    guard relationship.slot == nil else { return }
    perform(.assignment(owner: owner, relationship: relationship.index, isUndone: false))
  }

  /// Links a row to the given rows only, in their order.
  mutating func replace(
    _ owner: Int, _ relationship: CompiledRelationship, with members: [Int],
    isAssignment: Bool = true
  ) {
    let mark = journal.count
    defer { if isAssignment, journal.count > mark { recordAssignment(owner, relationship) } }
    let linked = Set(members)
    for other in partners(of: owner, relationship) where !linked.contains(other) {
      unlink(owner, relationship, from: other)
    }
    for member in members { link(owner, relationship, to: member) }
    guard relationship.isOrdered else { return }
    for (position, member) in members.enumerated() {
      let order = partners(of: owner, relationship)
      guard position < order.count, order[position] != member,
        let from = order.firstIndex(of: member)
      else { continue }
      move(owner, relationship, from: from, to: position)
    }
  }
}
