package import MohoMapping

/// A row to write for a model of a graph.
// A class, because all rows that are linked to the row share it, and read its
// identity after it has been written.
package final class GraphRow {
  package let node: ModelNode

  /// The path of the model, for error messages.
  package let path: FieldPath

  /// The contents of columns, by the indexes of the keys. A whole model has all
  /// contents, a partial model only those that are present.
  package var contents: [FieldContent?]

  /// The contents of all keys, if the model is merged with its row later: by a
  /// context, or when the row of its owner is known.
  var incoming: [FieldContent?]?

  /// Why the model is not valid, if it may be valid after it is merged.
  var failure: (any Error)?

  /// The rows that link columns refer to, by the indexes of the keys.
  package var toOneTargets: [Int: RowTarget] = [:]

  /// The rows of all other links, by the indexes of the keys.
  package var members: [Int: [RowTarget]] = [:]

  /// The rows of the models that contain this model, by the names of the
  /// relationships. They override the model's own links.
  package var owners: [String: RowTarget] = [:]

  /// The identity, after the row has been written.
  package var rowID: Int64?

  /// The result of writing the row.
  package var outcome = SaveOutcome.unchanged

  /// Whether the row has not been written because of an error.
  package var hasFailed = false

  /// The row that is written instead, if an earlier model has the same unique key.
  fileprivate(set) var written: GraphRow?

  /// The number of additional models that share the row.
  package var repetitions = 0

  /// Whether the row is written after the last batch, and therefore retains its
  /// links longer than its batch.
  var isDeferred = false

  init(_ node: ModelNode, at path: FieldPath) {
    self.node = node
    self.path = path
    contents = Array(repeating: nil, count: node.keys.count)
  }

  /// The value of the unique key, or an array of the values of all identifying
  /// keys. Null if the model has no unique key, or if a value is null.
  package var key: FieldContent {
    if node.unique.count == 1 { return part(node.unique[0]) }
    return FieldContent(identity: node.unique.map { part($0) })
  }

  /// Returns the value of an identifying key. The value of a link is the key of
  /// the linked row.
  private func part(_ index: Int) -> FieldContent {
    if let content = contents[index] { return content }
    guard case .link(let link) = node.keys[index] else { return .null }
    switch target(of: link) {
    case .nothing: return .null
    case .key(let key): return key
    case .row(let row): return row.key
    }
  }

  /// Returns the rows that the model links to, or nil if the model does not
  /// specify them.
  func targets(of link: NodeLink) -> [RowTarget]? {
    guard link.storage == .column else { return members[link.index] }
    guard let target = toOneTargets[link.index] else { return nil }
    if case .nothing = target { return [] }
    return [target]
  }

  /// Returns the row that a link column refers to.
  package func target(of link: NodeLink) -> RowTarget {
    owners[link.name] ?? toOneTargets[link.index] ?? .nothing
  }

  /// The description of the row in messages.
  package var description: String {
    if key != .null { return "`\(node.name)` \(key)" }
    return "`\(node.name)`" + (path.components.isEmpty ? "" : " at \(path.pointer)")
  }

  /// Removes the links that are not part of the row's identity.
  ///
  /// Rows with equal keys are joined, so that a batch can contain chains of any
  /// length and cycles. Releasing a chain is recursive, and a cycle is never
  /// released. Identifying links form neither.
  func unlink() {
    members = [:]
    let links = node.identifyingLinks
    guard !links.isEmpty else { return (toOneTargets, owners) = ([:], [:]) }
    toOneTargets = toOneTargets.filter { target in links.contains { $0.index == target.key } }
    owners = owners.filter { owner in links.contains { $0.name == owner.key } }
  }

  /// Returns the contents after applying merge policies of columns to earlier contents.
  func contents(
    mergedInto earlier: [FieldContent?], by policies: [Int: MergePolicy]
  ) -> [FieldContent?] {
    var merged = contents
    for (index, policy) in policies where policy == .stored || merged[index] == .null {
      merged[index] = earlier[index]
    }
    return merged
  }

  /// Takes the values of a later model of the row, apart from links that are added.
  ///
  /// - Parameter isMerged: Whether the contents are merged later.
  fileprivate func replaceValues(by other: GraphRow, isMerged: Bool) {
    if !isMerged { contents = other.contents(mergedInto: contents, by: node.columnMerges) }
    toOneTargets = other.toOneTargets
    for (index, targets) in other.members where !node.addsLinks(index) { members[index] = targets }
    owners.merge(other.owners) { $1 }
    repetitions += 1
  }
}

extension ModelNode {
  /// Whether a key adds links to the stored ones.
  fileprivate func addsLinks(_ index: Int) -> Bool {
    if case .link(let link) = keys[index] { link.relation.addsLinks } else { false }
  }
}

/// The target of a link.
package enum RowTarget {
  case nothing
  /// The row with a unique key.
  case key(FieldContent)
  /// A row that is saved in the same call.
  case row(GraphRow)
}

/// The rows of a batch of models, including nested models. The rows lose their
/// links when the batch is released.
final class GraphBatch {
  /// The rows of each model, in the order of recording.
  private(set) var rows: [ObjectIdentifier: [GraphRow]] = [:]
  private var known: [ObjectIdentifier: [UniqueKey: GraphRow]] = [:]
  /// The rows of all models that add links, also if several models have the same row.
  private var adding: [ObjectIdentifier: [GraphRow]] = [:]
  /// Whether rows of nodes that merge rows are merged after they are recorded.
  let mergesRows: Bool
  /// The rows of all models that are merged after they are recorded, in this order.
  private(set) var mergedRows: [GraphRow] = []
  /// The rows that an earlier batch writes.
  private var replaced: [GraphRow] = []
  let schema: CompiledSchema

  init(_ schema: CompiledSchema, mergesRows: Bool = false) {
    self.schema = schema
    self.mergesRows = mergesRows
  }

  deinit {
    for rows in rows.values { for row in rows where !row.isDeferred { row.unlink() } }
    for rows in adding.values { for row in rows where row.written != nil { row.unlink() } }
    for row in replaced { row.unlink() }
  }

  /// Whether a row is merged after it is recorded.
  func isMerged(_ row: GraphRow) -> Bool { mergesRows && row.node.mergesRows }

  func rows(of node: ModelNode) -> [GraphRow] { rows[ObjectIdentifier(node)] ?? [] }

  /// Returns the rows that have the links of a relation, in the order of recording. A row
  /// whose links are added occurs once for each of its models.
  func owners(of link: NodeLink, _ node: ModelNode) -> [GraphRow] {
    link.relation.addsLinks ? adding[ObjectIdentifier(node)] ?? [] : rows(of: node)
  }

  /// Adds a row. If the batch has a row with the same unique key, that row
  /// takes the new values, so that the later model wins. Links that are added to the
  /// stored ones are those of all models.
  ///
  /// - Returns: The row in the batch.
  @discardableResult
  func add(_ row: GraphRow) -> GraphRow {
    let node = ObjectIdentifier(row.node)
    if row.node.links.contains(where: \.relation.addsLinks) {
      adding[node, default: []].append(row)
    }
    let isMerged = isMerged(row)
    if isMerged { mergedRows.append(row) }
    guard let key = UniqueKey(row.key) else {
      rows[node, default: []].append(row)
      return row
    }
    if let known = known[node]?[key] {
      known.replaceValues(by: row, isMerged: isMerged)
      row.written = known
      return known
    }
    known[node, default: [:]][key] = row
    rows[node, default: []].append(row)
    return row
  }

  /// Removes a row that is equal to a row of an earlier batch, which is written at the same
  /// time.
  func replace(_ row: GraphRow, by earlier: GraphRow) {
    rows[ObjectIdentifier(row.node)]?.removeAll { $0 === row }
    replaced.append(row)
    row.written = earlier
    earlier.repetitions += 1 + row.repetitions
  }
}
