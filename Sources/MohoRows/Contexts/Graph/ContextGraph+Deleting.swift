import MohoMapping

extension ContextGraph {
  /// Deletes rows and unlinks them from other rows according to the rules of
  /// their relationships. All links of the rows must be loaded, and the rows
  /// must include those that the rules delete.
  ///
  /// - Parameter links: The links to the rows by relationships without an inverse, except those
  ///   in columns.
  mutating func delete(_ rows: [Int], linkedBy links: [IncomingLink]) {
    for row in rows where records[row].isAlive {
      for relationship in entity(of: row).relationships {
        switch relationship.deleteRule {
        case .deny: continue
        case .noAction: hideLinks(of: partners(of: row, relationship), relationship)
        case .nullify, .cascade, .cascadeEvenIfShared:
          for partner in partners(of: row, relationship) {
            unlinkDeleted(row, relationship, from: partner)
          }
        }
      }
      perform(.existence(row: row, isAlive: false))
    }
    hideColumnsWithoutInverse(Set(rows))
    for link in links where records[link.owner].isAlive {
      unlink(link.owner, link.relationship, from: link.member)
    }
  }

  /// Unlinks a row that is being deleted. If the other row stores the link in a
  /// column, the link is only hidden.
  private mutating func unlinkDeleted(
    _ row: Int, _ relationship: CompiledRelationship, from partner: Int
  ) {
    guard let inverse = inverse(of: relationship), inverse.slot != nil else {
      return unlink(row, relationship, from: partner)
    }
    detach(row, relationship, partner)
    perform(.hiddenLinks(row: partner))
  }

  /// Records that the links of rows to a deleted row remain.
  private mutating func hideLinks(of rows: [Int], _ relationship: CompiledRelationship) {
    guard inverse(of: relationship)?.slot != nil else { return }
    for row in rows { perform(.hiddenLinks(row: row)) }
  }

  /// Returns the related rows that cascade rules delete with the given rows,
  /// except the rows in `visited`, and adds them to `visited`.
  // A chain has as many levels as rows, so the set is not copied.
  func rowsDeletedByCascade(from rows: [Int], excluding visited: inout Set<Int>) -> [Int] {
    var found: [Int] = []
    for row in rows {
      for relationship in entity(of: row).relationships
      where relationship.deleteRule == .cascade {
        for partner in partners(of: row, relationship)
        where records[partner].isAlive && visited.insert(partner).inserted {
          found.append(partner)
        }
      }
    }
    return found
  }

  /// Hides the links to deleted rows in columns of relationships that have no inverse.
  private mutating func hideColumnsWithoutInverse(_ dead: Set<Int>) {
    let entities = Set(dead.map { records[$0].entity })
    for relationship in entities.sorted().flatMap({ schema.incoming[$0] }) {
      guard let slot = relationship.slot else { continue }
      for row in records.indices
      where records[row].entity == relationship.entity && records[row].isAlive {
        if let target = records[row].current?.targets[slot], dead.contains(target) {
          perform(.hiddenLinks(row: row))
        }
      }
    }
  }

  /// Returns stored links, with the unsaved links of a relationship to rows and without those that
  /// were removed.
  func links(
    _ stored: [IncomingLink], andThoseBy relationship: CompiledRelationship, to rows: Set<Int>
  ) -> [IncomingLink] {
    let known = records.indices.filter {
      records[$0].entity == relationship.entity && records[$0].isAlive
    }.flatMap { owner in
      (records[owner].members[relationship.index]?.available ?? []).filter(rows.contains)
        .map { IncomingLink(owner: owner, relationship: relationship, member: $0) }
    }
    return known
      + stored.filter { link in
        let members = records[link.owner].members[relationship.index]
        return records[link.owner].isAlive && members?.contains(link.member) == nil
      }
  }
}

/// A link to a row by a relationship without an inverse.
struct IncomingLink {
  let owner: Int
  let relationship: CompiledRelationship
  let member: Int
}
