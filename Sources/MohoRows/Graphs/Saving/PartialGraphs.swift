import MohoMapping

/// An error for partial models that are written together, if one of them cannot be written. The
/// call is undone and repeated with one partial model at a time, which finds the error.
package struct FailedBatch: Error {
  package init() {}
}

/// A partial model and its nested models, before they are written.
struct PartialGraph {
  /// The row of the partial model.
  let row: GraphRow
  /// The rows of the nested models.
  let batch: GraphBatch
}

/// Partial models that are written together. The result is the same as if they were written
/// one after the other.
struct PartialGraphs {
  private(set) var graphs: [PartialGraph] = []
  private let order: [ModelNode]
  private let root: ModelNode
  private var roots: Set<UniqueKey> = []
  private var nested: [ObjectIdentifier: [UniqueKey: GraphRow]] = [:]
  /// The keys of rows that links refer to by their keys only.
  private var referenced: RepeatedNodeKeys = [:]
  /// The targets of one-to-one links, by model and by the index of the key.
  private var exclusive: [ObjectIdentifier: [Int: Set<UniqueKey>]] = [:]

  init(_ order: [ModelNode], root: ModelNode) {
    self.order = order
    self.root = root
  }

  mutating func removeAll() { self = PartialGraphs(order, root: root) }

  /// Returns whether the result does not depend on the order of a partial model and the
  /// previous ones: apart from equal nested models, they write different rows, and none refers to
  /// a row that another one inserts.
  func canAdd(_ graph: PartialGraph) -> Bool {
    guard !graphs.isEmpty else { return true }
    if let key = UniqueKey(graph.row.key) {
      if roots.contains(key) || nested[ObjectIdentifier(root.model)]?[key] != nil { return false }
    }
    if !canAddLinks(of: graph.row) { return false }
    return order.allSatisfy { node in
      let model = ObjectIdentifier(node.model)
      return graph.batch.rows(of: node).allSatisfy { row in
        if !canAddLinks(of: row) { return false }
        guard let key = UniqueKey(row.key) else { return true }
        if node === root && roots.contains(key) { return false }
        if referenced[model]?.contains(key) == true { return false }
        return nested[model]?[key].map { row.isSame(as: $0) } ?? true
      }
    }
  }

  private func canAddLinks(of row: GraphRow) -> Bool {
    row.node.links.allSatisfy { link in
      let model = ObjectIdentifier(link.target)
      return row.linkedRows(by: link).allSatisfy { target in
        guard let key = target.uniqueKey else { return true }
        if case .key = target, nested[model]?[key] != nil { return false }
        return !link.isExclusive
          || exclusive[ObjectIdentifier(row.node.model)]?[link.index]?.contains(key) != true
      }
    }
  }

  /// Adds a partial model for which ``canAdd(_:)`` returns true. Nested models that are
  /// equal to previous ones are not written again.
  mutating func add(_ graph: PartialGraph) {
    graphs.append(graph)
    if let key = UniqueKey(graph.row.key) { roots.insert(key) }
    addLinks(of: graph.row)
    for node in order {
      for row in graph.batch.rows(of: node) {
        addLinks(of: row)
        guard let key = UniqueKey(row.key) else { continue }
        if let known = nested[ObjectIdentifier(node.model)]?[key] {
          graph.batch.replace(row, by: known)
        } else {
          nested[ObjectIdentifier(node.model), default: [:]][key] = row
        }
      }
    }
  }

  private mutating func addLinks(of row: GraphRow) {
    for link in row.node.links {
      for target in row.linkedRows(by: link) {
        guard let key = target.uniqueKey else { continue }
        if case .key = target { referenced[ObjectIdentifier(link.target), default: []].insert(key) }
        if link.isExclusive {
          exclusive[ObjectIdentifier(row.node.model), default: [:]][link.index, default: []]
            .insert(key)
        }
      }
    }
  }
}

extension NodeLink {
  /// Whether the column of the link is unique.
  fileprivate var isExclusive: Bool { storage == .column && relationship.isOneToOne }
}

extension RowTarget {
  fileprivate var uniqueKey: UniqueKey? {
    switch self {
    case .nothing: nil
    case .key(let key): UniqueKey(key)
    case .row(let row): UniqueKey(row.key)
    }
  }

  fileprivate func isSame(as other: RowTarget) -> Bool {
    switch (self, other) {
    case (.nothing, .nothing): true
    case (.nothing, _), (_, .nothing): false
    default: uniqueKey != nil && uniqueKey == other.uniqueKey
    }
  }
}

extension GraphRow {
  /// Returns the targets of a link.
  fileprivate func linkedRows(by link: NodeLink) -> [RowTarget] {
    link.storage == .column ? [target(of: link)] : members[link.index] ?? []
  }

  /// Whether writing the row after an earlier one changes nothing. Links to many rows count as
  /// different.
  fileprivate func isSame(as earlier: GraphRow) -> Bool {
    members.isEmpty && earlier.members.isEmpty && contents == earlier.contents
      && node.links.allSatisfy { link in
        link.storage != .column || target(of: link).isSame(as: earlier.target(of: link))
      }
  }
}
