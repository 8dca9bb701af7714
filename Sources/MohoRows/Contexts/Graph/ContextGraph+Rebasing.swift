extension ContextGraph {
  /// The loaded links of relationships outside the rows' columns that saving would
  /// change, or that the deletion of their rows would.
  func linksToCompare() -> [(relationship: CompiledRelationship, owners: [Int])] {
    var owners: [Int: [Int: [Int]]] = [:]
    for row in pending(where: { records[$0].isStored && !records[$0].members.isEmpty }) {
      let record = records[row]
      for (index, members) in record.members where members.isLoaded {
        let relationship = entity(of: row).relationships[index]
        guard record.isAlive ? hasChangedMembers(row, relationship) : true else { continue }
        owners[record.entity, default: [:]][index, default: []].append(row)
      }
    }
    return owners.sorted { $0.key < $1.key }.flatMap { entity, owners in
      owners.sorted { $0.key < $1.key }.map { (schema.entities[entity].relationships[$0], $1) }
    }
  }

  /// Replaces the links that were read by the links that the source has now, and
  /// sets the current links. The inverse links are updated.
  ///
  /// These changes are not part of the journal, so they cannot be undone.
  mutating func rebase(
    _ owner: Int, _ relationship: CompiledRelationship, on stored: ComparedLinks, to final: [Int]
  ) {
    let read = stored.read
    records[owner].members[relationship.index] = Members(
      stored: stored.theirs, positions: stored.positions, current: final)
    touched.insert(owner)
    guard let inverse = inverse(of: relationship) else { return }
    let all = Set(read + stored.mine + stored.theirs + final).sorted()
    let (theirs, now) = (Set(stored.theirs), Set(final))
    for member in all {
      if let slot = inverse.slot {
        setTarget(of: member, slot, owner, relationship, isLinked: now.contains(member))
      } else {
        records[member].members[inverse.index]?
          .correct(owner, isLinked: theirs.contains(member))
        setMember(owner, of: member, inverse, now.contains(member), theirs.contains(member))
      }
    }
  }

  private mutating func setMember(
    _ owner: Int, of member: Int, _ inverse: CompiledRelationship, _ isLinked: Bool,
    _ isStored: Bool
  ) {
    let known = records[member].members[inverse.index]?.contains(owner) ?? isStored
    if known == isLinked { return }
    let index = inverse.index
    if isLinked {
      apply(.link(owner: member, relationship: index, member: owner, position: nil))
    } else {
      apply(.unlink(owner: member, relationship: index, member: owner, position: nil))
    }
  }

  private mutating func setTarget(
    of member: Int, _ slot: Int, _ owner: Int, _ relationship: CompiledRelationship, isLinked: Bool
  ) {
    guard let old = records[member].current?.targets[slot] else {
      if isLinked { apply(.target(row: member, slot: slot, old: nil, new: owner)) }
      return
    }
    guard (old == owner) != isLinked else { return }
    let read = records[member].base?.targets[slot]
    // Only the source has changed this link of a row with other changes.
    if !isLinked, read == old, !isClean(member) { return }
    let new = isLinked ? owner : read == owner ? nil : read
    let index = relationship.index
    if old != owner, records[old].members[index]?.contains(member) == true {
      apply(.unlink(owner: old, relationship: index, member: member, position: nil))
    }
    apply(.target(row: member, slot: slot, old: old, new: new))
    if let new, new != owner, records[new].members[index]?.contains(member) == false {
      apply(.link(owner: new, relationship: index, member: member, position: nil))
    }
  }
}
