package import MohoMapping

/// The row that a model of a graph is written to.
// A class: rows that are linked to the same row share it, and read its identity
// once it is written.
package final class GraphRow {
  package let node: ModelBinding

  /// The path of the model, for errors.
  let path: FieldPath

  /// The contents of columns, by the indexes of the keys. A whole model has all
  /// of them, a partial model those that are present.
  package var contents: [FieldContent?]

  /// The contents of all keys, for a model that a context merges with its row.
  var incoming: [FieldContent?]?

  /// The rows that link columns lead to, by the indexes of the keys.
  package var ones: [Int: RowTarget] = [:]

  /// The rows that other links lead to, by the indexes of the keys.
  package var members: [Int: [RowTarget]] = [:]

  /// The rows of the models that contain this one, by the names of the
  /// relationships. They override the model's own links.
  package var owners: [String: RowTarget] = [:]

  /// The identity, once the row is written.
  package var rowID: Int64?

  /// The result of writing the row.
  package var outcome = SaveOutcome.unchanged

  /// How many further models have the row.
  package var repetitions = 0

  init(_ node: ModelBinding, at path: FieldPath) {
    self.node = node
    self.path = path
    contents = Array(repeating: nil, count: node.keys.count)
  }

  /// The value of the unique key; null for a model without a unique key.
  package var key: FieldContent { node.unique.flatMap { contents[$0] } ?? .null }

  /// The rows that the model says a link leads to; nil if it does not say.
  func targets(of link: LinkBinding) -> [RowTarget]? {
    guard link.storage == .column else { return members[link.index] }
    guard let target = ones[link.index] else { return nil }
    if case .nothing = target { return [] }
    return [target]
  }

  /// The row that a link column leads to.
  package func target(of link: LinkBinding) -> RowTarget {
    owners[link.name] ?? ones[link.index] ?? .nothing
  }

  /// The row's name in messages.
  package var description: String { key == .null ? "`\(node.name)`" : "`\(node.name)` \(key)" }

  fileprivate func replaceValues(by other: GraphRow) {
    contents = other.contents
    ones = other.ones
    members.merge(other.members) { $1 }
    repetitions += 1
  }
}

/// What a link leads to.
package enum RowTarget {
  case nothing
  /// The row with a unique key.
  case key(FieldContent)
  /// A row that the same call saves.
  case row(GraphRow)
}

/// The rows of some models and of the models nested in them.
package final class GraphBatch {
  /// The rows of each model, in the order of recording.
  private(set) var rows: [ObjectIdentifier: [GraphRow]] = [:]
  private var known: [ObjectIdentifier: [UniqueKey: GraphRow]] = [:]

  package func rows(of node: ModelBinding) -> [GraphRow] { rows[ObjectIdentifier(node)] ?? [] }

  /// Adds a row. If a row has the same unique key, it takes the new values: the
  /// later model wins.
  ///
  /// - Returns: The row of the batch.
  @discardableResult
  func add(_ row: GraphRow) -> GraphRow {
    let node = ObjectIdentifier(row.node)
    guard let key = UniqueKey(row.key) else {
      rows[node, default: []].append(row)
      return row
    }
    if let known = known[node]?[key] {
      known.replaceValues(by: row)
      return known
    }
    known[node, default: [:]][key] = row
    rows[node, default: []].append(row)
    return row
  }
}
