import MohoMapping

/// The unique keys of rows, by model.
package typealias RepeatedNodeKeys = [ObjectIdentifier: Set<UniqueKey>]

/// The rows that occur in several batches of one call, with the values of the
/// last batch.
final class DeferredRows {
  private let keys: RepeatedNodeKeys
  private var last: [ObjectIdentifier: [UniqueKey: GraphRow]] = [:]
  private var order: [ObjectIdentifier: [UniqueKey]] = [:]
  private var new: RepeatedNodeKeys = [:]

  init(_ keys: RepeatedNodeKeys) { self.keys = keys }

  deinit { for rows in last.values { for row in rows.values { row.unlink() } } }

  func isRepeated(_ row: GraphRow) -> Bool {
    guard let keys = keys[ObjectIdentifier(row.node.model)], let key = UniqueKey(row.key)
    else { return false }
    return keys.contains(key)
  }

  /// Adds the row of a batch.
  ///
  /// - Parameter isNew: Whether the batch inserted the row.
  func add(_ row: GraphRow, isNew: Bool) {
    guard let key = UniqueKey(row.key) else { return }
    let model = ObjectIdentifier(row.node.model)
    if let known = last[model]?[key] {
      // The row keeps the owners from earlier batches.
      row.owners.merge(known.owners) { own, _ in own }
      row.contents = row.contents(mergedInto: known.contents, by: row.node.columnMerges)
      known.unlink()
    } else {
      order[model, default: []].append(key)
    }
    if isNew { new[model, default: []].insert(key) }
    row.isDeferred = true
    last[model, default: [:]][key] = row
  }

  func rows(of node: ModelNode) -> [GraphRow] {
    let model = ObjectIdentifier(node.model)
    return (order[model] ?? []).compactMap { last[model]?[$0] }
  }

  func isNew(_ row: GraphRow) -> Bool {
    guard let key = UniqueKey(row.key) else { return false }
    return new[ObjectIdentifier(row.node.model)]?.contains(key) ?? false
  }

  /// Returns the merged models of a batch whose rows are written after the last
  /// batch.
  func deferredModels(of merging: StoredMerging?) -> StoredMerging? { merging?.only(keys) }
}
