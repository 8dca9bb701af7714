import MohoMapping

/// The smallest change of a context's rows. Rows are named by handles, which
/// stay when a row gets another identity.
enum GraphChange: Sendable {
  /// A row's attribute has another value.
  case value(row: Int, attribute: Int, old: FieldContent, new: FieldContent)
  /// A row's link to one leads to another row.
  case target(row: Int, slot: Int, old: Int?, new: Int?)
  /// A row is among those at the other end of a relationship.
  case link(owner: Int, relationship: Int, member: Int, position: Int?)
  /// A row is no longer among them.
  case unlink(owner: Int, relationship: Int, member: Int, position: Int?)
  /// A row has another place among them.
  case move(owner: Int, relationship: Int, from: Int, to: Int)
  /// A row is inserted or deleted, or that is taken back.
  case life(row: Int, isAlive: Bool)

  /// The change that takes this one back.
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
    case .life(let row, let isAlive):
      .life(row: row, isAlive: !isAlive)
    }
  }

  /// The row that is changed.
  var row: Int {
    switch self {
    case .value(let row, _, _, _), .target(let row, _, _, _), .life(let row, _),
      .link(let row, _, _, _), .unlink(let row, _, _, _), .move(let row, _, _, _):
      row
    }
  }

  /// The change that this one and a later one are together, or nil where they
  /// are two.
  func coalesced(with later: GraphChange) -> GraphChange? {
    guard case .value(let row, let attribute, let old, _) = self,
      case .value(row, attribute, _, let new) = later
    else { return nil }
    return .value(row: row, attribute: attribute, old: old, new: new)
  }
}
