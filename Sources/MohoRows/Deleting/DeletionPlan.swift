import MohoMapping

/// A link between two rows that are deleted together. The rule of its
/// relationship is a cascade or denies the deletion of the row while the related
/// row exists.
struct DeletionLink {
  let row: Int
  let related: Int
  let relationship: CompiledRelationship
}

/// The order in which rows are deleted together, so that no rule denies it and
/// the database follows no chain of links.
///
/// Related rows are deleted before the rows whose rules require it. If links form
/// cycles or long chains, links are removed first. Links of required to-one
/// relationships cannot be removed: the rules of those that deny are suspended.
struct DeletionPlan {
  private(set) var unlinks: [DeletionLink] = []
  private(set) var suspended: [CompiledRelationship] = []
  /// The links that determine the order.
  private(set) var requirements: [DeletionLink]
  /// The rows, in groups that are deleted one after the other.
  private(set) var rounds: [[Int]]

  /// - Parameters:
  ///   - count: The number of rows.
  ///   - roundLimit: The number of rounds from which links are removed instead.
  init(deleting count: Int, _ links: [DeletionLink], roundLimit: Int = .max) {
    var rest: [Int]
    requirements = links
    (rounds, rest) = Self.rounds(count, links)
    if rest.isEmpty && rounds.count <= roundLimit { return }
    var blocked = Array(repeating: rounds.count > roundLimit, count: count)
    for row in rest { blocked[row] = true }
    func isBlocked(_ link: DeletionLink) -> Bool { blocked[link.row] && blocked[link.related] }
    unlinks = links.filter { isBlocked($0) && $0.relationship.canUnlink }
    requirements = links.filter { !isBlocked($0) || !$0.relationship.canUnlink }
    (rounds, rest) = Self.rounds(count, requirements)
    if rest.isEmpty { return }
    let stuck = Set(rest)
    func isSuspended(_ link: DeletionLink) -> Bool {
      link.relationship.deleteRule == .deny && stuck.contains(link.row)
        && stuck.contains(link.related)
    }
    for link in requirements where isSuspended(link) && !suspended.contains(link.relationship) {
      suspended.append(link.relationship)
    }
    requirements.removeAll { isSuspended($0) }
    (rounds, rest) = Self.rounds(count, requirements)
    // Cascades of required links: the database deletes all rows of a cycle with
    // the first one.
    if !rest.isEmpty { rounds.append(rest) }
  }

  /// Returns the rows in rounds, and the rows that cycles prevent.
  private static func rounds(
    _ count: Int, _ links: [DeletionLink]
  ) -> (rounds: [[Int]], rest: [Int]) {
    var waiting = Array(repeating: 0, count: count)
    var dependents: [Int: [Int]] = [:]
    for link in links {
      waiting[link.row] += 1
      dependents[link.related, default: []].append(link.row)
    }
    var rounds: [[Int]] = []
    var ready = (0..<count).filter { waiting[$0] == 0 }
    while !ready.isEmpty {
      rounds.append(ready)
      var next: [Int] = []
      for row in ready {
        for dependent in dependents[row] ?? [] {
          waiting[dependent] -= 1
          if waiting[dependent] == 0 { next.append(dependent) }
        }
      }
      ready = next
    }
    return (rounds, (0..<count).filter { waiting[$0] > 0 })
  }
}

extension CompiledRelationship {
  /// Whether the links can be removed without deleting a row.
  var canUnlink: Bool {
    switch storage {
    case .column: isOptional
    case .inverseColumn: inverseRelationship?.isOptional ?? true
    case .table: true
    }
  }
}
