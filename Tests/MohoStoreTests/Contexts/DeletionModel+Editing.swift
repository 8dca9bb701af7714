import MohoMapping

/// The edits of a context, with sets. Rows that the context has deleted remain linked to other
/// rows where the rules of their relationships deny the deletion.
extension DeletionModel {
  func isAlive(_ link: Link) -> Bool { rows.contains(link.source) && rows.contains(link.target) }

  /// The links between rows that are not deleted.
  var visibleLinks: Set<Link> { links.filter(isAlive) }

  /// Whether a link refers to a deleted row.
  func hasRetainedLink(_ relation: Int, of row: Row) -> Bool {
    links.contains { link in
      link.relation == relation && !isAlive(link) && (link.source == row || link.target == row)
    }
  }

  /// Links a row with a to-one relationship.
  mutating func setTarget(_ relation: Int, of source: Row, to target: Row?) {
    let isOneToOne = relations[relation].kind == .oneToOne
    links = links.filter { link in
      link.relation != relation || link.source != source && (!isOneToOne || link.target != target)
    }
    if let target { links.insert(Link(relation: relation, source: source, target: target)) }
  }

  /// Deletes rows and those that the rules of their current links delete.
  mutating func deleteUnsaved(_ start: Set<Row>) {
    var deleted = start
    var size = 0
    while size < deleted.count {
      size = deleted.count
      for link in visibleLinks {
        let relation = relations[link.relation]
        if relation.forward == .cascade, deleted.contains(link.source) {
          deleted.insert(link.target)
        }
        if relation.back == .cascade, deleted.contains(link.target) { deleted.insert(link.source) }
      }
    }
    rows.subtract(deleted)
    links = links.filter { isAlive($0) || isDenial($0) }
  }

  /// Whether a link from or to a deleted row prevents saving.
  private func isDenial(_ link: Link) -> Bool {
    let relation = relations[link.relation]
    switch (rows.contains(link.source), rows.contains(link.target)) {
    case (false, true): return relation.forward == .deny
    case (true, false):
      return relation.back == .deny || relation.isColumn && relation.back == .noAction
    default: return false
    }
  }

  /// Whether rules deny the deletions of rows that the store has. Undo restores links to rows
  /// whose deletion was saved before.
  func isDenied(storing stored: Set<Row>) -> Bool {
    links.contains { link in
      isDenial(link) && stored.contains(rows.contains(link.source) ? link.target : link.source)
    }
  }
}
