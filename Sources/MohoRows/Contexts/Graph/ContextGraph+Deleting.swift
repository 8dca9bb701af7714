import MohoMapping

extension ContextGraph {
  /// Deletes rows and unlinks them from other rows according to the rules of
  /// their relationships. All links of the rows must be loaded, and the rows
  /// must include those that the rules delete.
  mutating func delete(_ rows: [Int]) {
    for row in rows where records[row].isAlive {
      for relationship in entity(of: row).relationships {
        switch relationship.deleteRule {
        case .deny, .noAction: continue
        case .nullify, .cascade, .cascadeEvenIfShared:
          for partner in partners(of: row, relationship) {
            unlink(row, relationship, from: partner)
          }
        }
      }
      perform(.existence(row: row, isAlive: false))
    }
    unlinkRelationshipsWithoutInverse(Set(rows))
  }

  /// Returns the related rows that cascade rules delete with the given rows,
  /// except the rows in `visited`.
  func rowsDeletedByCascade(from rows: [Int], excluding visited: Set<Int>) -> [Int] {
    var found: [Int] = []
    var seen = visited
    for row in rows {
      for relationship in entity(of: row).relationships
      where relationship.deleteRule == .cascade {
        for partner in partners(of: row, relationship)
        where records[partner].isAlive && seen.insert(partner).inserted {
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
        for partner in partners(of: row, relationship) where dead.contains(partner) {
          if relationship.slot == nil || relationship.isOptional {
            unlink(row, relationship, from: partner)
          }
        }
      }
    }
  }
}
