import MohoMapping

extension ContextGraph {
  /// Deletes rows, all whose links are known, and unlinks them from others as
  /// the rules of their relationships say. Rows that the rules delete too must
  /// be among them.
  mutating func delete(_ rows: [Int]) {
    for row in rows where records[row].isAlive {
      for relationship in entity(of: row).relationships {
        switch relationship.relationship.deleteRule {
        case .deny, .noAction: continue
        case .nullify, .cascade:
          for partner in partners(of: row, relationship) {
            unlink(row, relationship, from: partner)
          }
        }
      }
      perform(.life(row: row, isAlive: false))
    }
    unlinkWithoutWayBack(Set(rows))
  }

  /// The rows that rules delete with others: those at the other ends, of which
  /// it is not yet said.
  func cascade(from rows: [Int], besides known: Set<Int>) -> [Int] {
    var found: [Int] = []
    var seen = known
    for row in rows {
      for relationship in entity(of: row).relationships
      where relationship.relationship.deleteRule == .cascade {
        for partner in partners(of: row, relationship)
        where records[partner].isAlive && seen.insert(partner).inserted {
          found.append(partner)
        }
      }
    }
    return found
  }

  /// Unlinks what leads to deleted rows where those know nothing of it, as the
  /// database does.
  private mutating func unlinkWithoutWayBack(_ dead: Set<Int>) {
    let entities = Set(dead.map { records[$0].entity })
    for relationship in entities.sorted().flatMap({ layout.incoming[$0] }) {
      for row in records.indices
      where records[row].entity == relationship.entity && records[row].isAlive {
        for partner in partners(of: row, relationship) where dead.contains(partner) {
          if relationship.slot == nil || relationship.relationship.isOptional {
            unlink(row, relationship, from: partner)
          }
        }
      }
    }
  }
}
