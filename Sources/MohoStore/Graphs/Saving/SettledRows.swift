import MohoMapping

/// The unique keys of rows, by their models.
typealias RepeatedNodeKeys = [ObjectIdentifier: Set<ModelIdentity>]

/// The rows that several batches of one call have, with what the last of these
/// says of their columns.
final class SettledRows {
  private let keys: RepeatedNodeKeys
  private var last: [ObjectIdentifier: [ModelIdentity: GraphRow]] = [:]
  private var order: [ObjectIdentifier: [ModelIdentity]] = [:]
  private var new: RepeatedNodeKeys = [:]

  init(_ keys: RepeatedNodeKeys) { self.keys = keys }

  func isRepeated(_ row: GraphRow) -> Bool {
    guard let keys = keys[ObjectIdentifier(row.node.model)], let key = ModelIdentity(row.key)
    else { return false }
    return keys.contains(key)
  }

  /// Adds what a batch says of a row.
  ///
  /// - Parameter isNew: Whether the row was inserted for it.
  func add(_ row: GraphRow, isNew: Bool) {
    guard let key = ModelIdentity(row.key) else { return }
    let model = ObjectIdentifier(row.node.model)
    if let known = last[model]?[key] {
      // A model that does not name its holder is held all the same.
      row.owners.merge(known.owners) { own, _ in own }
    } else {
      order[model, default: []].append(key)
    }
    if isNew { new[model, default: []].insert(key) }
    last[model, default: [:]][key] = row
  }

  func rows(of node: ModelNode) -> [GraphRow] {
    let model = ObjectIdentifier(node.model)
    return (order[model] ?? []).compactMap { last[model]?[$0] }
  }

  func isNew(_ row: GraphRow) -> Bool {
    guard let key = ModelIdentity(row.key) else { return false }
    return new[ObjectIdentifier(row.node.model)]?.contains(key) ?? false
  }

  /// Merged models of a batch that are not written before the last batch.
  func carried(by merging: StoredMerging?) -> StoredMerging? { merging?.keeping(keys) }
}
