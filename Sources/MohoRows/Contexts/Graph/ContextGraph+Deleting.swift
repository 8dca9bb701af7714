import MohoMapping

extension ContextGraph {
  /// Deletes rows and unlinks them from other rows according to the rules of
  /// their relationships. All links of the rows must be loaded, and the rows
  /// must include those that the rules delete.
  mutating func delete(_ rows: [Int]) {
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
    unlinkRelationshipsWithoutInverse(Set(rows))
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

  /// Unlinks deleted rows from rows whose relationships have no inverse, as the
  /// database does.
  private mutating func unlinkRelationshipsWithoutInverse(_ dead: Set<Int>) {
    let entities = Set(dead.map { records[$0].entity })
    for relationship in entities.sorted().flatMap({ schema.incoming[$0] }) {
      for row in records.indices
      where records[row].entity == relationship.entity && records[row].isAlive {
        for partner in linkedRows(of: row, relationship) where dead.contains(partner) {
          if relationship.slot == nil {
            unlink(row, relationship, from: partner)
          } else {
            perform(.hiddenLinks(row: row))
          }
        }
      }
    }
  }

  /// Returns the rows that a row is linked to, including deleted rows.
  private func linkedRows(of row: Int, _ relationship: CompiledRelationship) -> [Int] {
    if let slot = relationship.slot {
      return records[row].current?.targets[slot].map { [$0] } ?? []
    }
    return records[row].members[relationship.index]?.available ?? []
  }
}
