import MohoMapping

/// A single change of a context. It refers to rows by handles, which remain
/// valid when the identity of a row changes.
enum GraphChange: Sendable {
  /// The value of an attribute changes.
  case value(row: Int, attribute: Int, old: FieldContent, new: FieldContent)
  /// A link column refers to another row.
  case target(row: Int, slot: Int, old: Int?, new: Int?)
  /// A row is linked as a member of a relationship.
  case link(owner: Int, relationship: Int, member: Int, position: Int?)
  /// A member is unlinked.
  case unlink(owner: Int, relationship: Int, member: Int, position: Int?)
  /// A member moves.
  case move(owner: Int, relationship: Int, from: Int, to: Int)
  /// All members of a row are assigned, or an assignment is undone. The changes
  /// of the members precede.
  case assignment(owner: Int, relationship: Int, isUndone: Bool)
  /// The deletion of another row hides links of a row. The links do not change.
  case hiddenLinks(row: Int)
  /// A row is inserted or deleted, or an insertion or deletion is undone.
  case existence(row: Int, isAlive: Bool)

  /// The change that reverts this one.
  var inverted: GraphChange {
    switch self {
    case .value(let row, let attribute, let old, let new):
      .value(row: row, attribute: attribute, old: new, new: old)
    case .target(let row, let slot, let old, let new):
      .target(row: row, slot: slot, old: new, new: old)
    case .link(let owner, let relationship, let member, let position):
      .unlink(owner: owner, relationship: relationship, member: member, position: position)
    case .unlink(let owner, let relationship, let member, let position):
      .link(owner: owner, relationship: relationship, member: member, position: position)
    case .move(let owner, let relationship, let from, let to):
      .move(owner: owner, relationship: relationship, from: to, to: from)
    case .assignment(let owner, let relationship, let isUndone):
      .assignment(owner: owner, relationship: relationship, isUndone: !isUndone)
    case .hiddenLinks: self
    case .existence(let row, let isAlive):
      .existence(row: row, isAlive: !isAlive)
    }
  }

  /// The row that is changed.
  var row: Int {
    switch self {
    case .value(let row, _, _, _), .target(let row, _, _, _), .existence(let row, _),
      .link(let row, _, _, _), .unlink(let row, _, _, _), .move(let row, _, _, _),
      .assignment(let row, _, _), .hiddenLinks(let row):
      row
    }
  }

  /// Returns a change that has the effect of this change followed by a later
  /// one, or nil if the two cannot be merged.
  func coalesced(with later: GraphChange) -> GraphChange? {
    guard case .value(let row, let attribute, let old, _) = self,
      case .value(row, attribute, _, let new) = later
    else { return nil }
    return .value(row: row, attribute: attribute, old: old, new: new)
  }
}
