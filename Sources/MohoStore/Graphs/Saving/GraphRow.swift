import MohoMapping

/// A model of a graph on its way into a row.
// A class: rows that are linked to the same row share it, and learn its
// identity once it is written.
final class GraphRow {
  let node: ModelNode

  /// What the columns of keys hold, by the positions of the keys; nil where
  /// nothing is said, which a whole model says of no key.
  var contents: [FieldContent?]

  /// Where the keys lead that link to one row.
  var ones: [Int: RowTarget] = [:]

  /// Where the keys lead that link to any number of rows, or whose links the
  /// other rows hold.
  var members: [Int: [RowTarget]] = [:]

  /// Where links lead by what models that contain this one say, which goes
  /// before what it says itself; by the names of the relationships.
  var owners: [String: RowTarget] = [:]

  /// The identity, once the row is written.
  var rowID: Int64?

  /// What became of the row.
  var outcome = SaveOutcome.unchanged

  /// How often the model was met besides.
  var repetitions = 0

  init(_ node: ModelNode) {
    self.node = node
    contents = Array(repeating: nil, count: node.keys.count)
  }

  /// The value of the unique key; null where there is none.
  var key: FieldContent { node.unique.flatMap { contents[$0] } ?? .null }

  /// Where a column with a link leads.
  func target(of link: NodeLink) -> RowTarget { owners[link.name] ?? ones[link.index] ?? .nothing }

  /// How messages name the row.
  var description: String { key == .null ? "`\(node.name)`" : "`\(node.name)` \(key)" }

  fileprivate func replaceValues(by other: GraphRow) {
    contents = other.contents
    ones = other.ones
    members.merge(other.members) { $1 }
    repetitions += 1
  }
}

/// Where a link leads.
enum RowTarget {
  /// Nowhere.
  case nothing
  /// To the row with a value as its unique key.
  case key(FieldContent)
  /// To a row that is saved by the same call.
  case row(GraphRow)
}

/// A unique key as SQLite compares it: texts by their bytes.
struct ModelIdentity: Hashable {
  private let content: FieldContent
  private let bytes: [UInt8]

  /// Nil for null, which equals no other.
  init?(_ content: FieldContent) {
    switch content {
    case .null: return nil
    case .string(let text):
      self.content = .null
      bytes = Array(text.utf8)
    case .uint64(let value):
      self.content = Int64(exactly: value).map { .int64($0) } ?? content
      bytes = []
    default:
      self.content = content
      bytes = []
    }
  }
}

/// The rows of some models and of those nested in them.
final class GraphBatch {
  /// The rows of each model, in the order in which they were met.
  private(set) var rows: [ObjectIdentifier: [GraphRow]] = [:]
  private var known: [ObjectIdentifier: [ModelIdentity: GraphRow]] = [:]

  func rows(of node: ModelNode) -> [GraphRow] { rows[ObjectIdentifier(node)] ?? [] }

  /// Adds a row. One with the unique key of another takes over its values: the
  /// later model wins.
  ///
  /// - Returns: The row that stands for it.
  @discardableResult
  func add(_ row: GraphRow) -> GraphRow {
    let node = ObjectIdentifier(row.node)
    guard let key = ModelIdentity(row.key) else {
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
