import MohoMapping

/// A row of a graph that is being read, with its related rows.
// A class, because all rows that are linked to the row share it.
package final class StoredRow {
  let node: ModelNode
  /// The identity, or 0 if it was not read.
  package let id: Int64
  /// The value of the identity column, or null if it was not read.
  let identity: StoredValue
  /// Whether the row has the values of its table. A row of an SQL query may have
  /// others, and may lack keys.
  let isFromTable: Bool
  /// The values of the columns, by the indexes of the keys. The identity may
  /// follow.
  let values: [StoredValue]
  /// The indexes of the stored keys that were not read.
  let unreadKeys: Set<Int>
  /// The related rows, by the indexes of the keys. Empty until they are read.
  var related: [Int: [RelatedItem]] = [:]

  /// Creates a row from the columns of `ModelNode.selection(in:)`.
  package init(_ node: ModelNode, _ columns: [StoredValue]) {
    self.node = node
    values = columns
    identity = columns.last ?? .null
    id = identity.integer ?? 0
    isFromTable = true
    unreadKeys = []
  }

  /// Creates a row from the columns of an SQL query.
  package init(
    _ node: ModelNode, values: [StoredValue], identity: StoredValue, unreadKeys: Set<Int>
  ) {
    self.node = node
    self.values = values
    self.identity = identity
    id = identity.integer ?? 0
    isFromTable = false
    self.unreadKeys = unreadKeys
  }

  /// Whether the value of a key was not read, or is not stored.
  func lacks(_ index: Int) -> Bool {
    if case .unstored = node.keys[index] { return true }
    return unreadKeys.contains(index)
  }

  /// The description of the row in messages: its model and unique key.
  var description: String {
    let key: String =
      switch node.unique.count == 1 ? values[node.unique[0]] : nil {
      case .integer(let value): "\(value)"
      case .text(let value): quoted(value)
      default: "\(id)"
      }
    return "`\(node.name)` \(key)"
  }
}

/// The target of a link.
package enum RelatedItem {
  /// The row of a nested model.
  case row(StoredRow)
  /// The unique key of a reference.
  case key(StoredValue)
  /// The values of several identifying keys of a reference.
  indirect case keys([RelatedItem])
}
