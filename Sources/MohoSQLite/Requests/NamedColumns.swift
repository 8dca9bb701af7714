import GRDBSQLite
import MohoMapping
import MohoRows

/// The columns of a query that have the names of a model's keys.
struct NamedColumns {
  /// How a key stores an integer.
  enum Affinity {
    case number
    case decimal
    case other
  }

  /// The columns of the keys, by the indexes of the keys.
  let keys: [Int32?]
  /// The types of the keys that integers are converted to, by the indexes of the
  /// keys.
  let affinities: [Affinity]
  /// The column with the identities of rows.
  let identity: Int32?
  /// The indexes of the stored keys that cannot be read. A key requires its
  /// column, a to-many relation the identity.
  let unreadKeys: Set<Int>

  init(of statement: OpaquePointer, for node: ModelBinding) {
    let columns = ColumnIndexes(of: statement)
    let identity = columns[node.entity.identityColumn]
    self.identity = identity
    let keys = node.table.keys.indices.map { index in
      node.keys[index].isColumn ? columns[node.table.keys[index].name] : nil
    }
    self.keys = keys
    affinities = node.keys.map { Affinity(of: $0, in: node.entity) }
    unreadKeys = Set(
      keys.indices.filter { index in
        switch node.keys[index] {
        case .unstored: false
        case .link where !node.keys[index].isColumn: identity == nil
        case .link, .column: keys[index] == nil
        }
      })
  }

  /// Checks that a whole model can be read.
  ///
  /// - Throws: A `StoreError` that lists the missing columns.
  func check(for node: ModelBinding) throws {
    var missing = unreadKeys.sorted().filter { node.keys[$0].isColumn }
      .map { node.table.keys[$0].name }
    if identity == nil, !node.links.isEmpty { missing.append(node.entity.identityColumn) }
    if missing.isEmpty { return }
    let names = missing.map { "`\($0)`" }.joined(separator: ", ")
    throw StoreError(
      .invalidRequest, subject: "`\(node.name)`", reason: "the SQL returns no column \(names)",
      suggestion: "select all columns of the table, or fetch partial models")
  }
}

extension NamedColumns.Affinity {
  fileprivate init(of key: KeyBinding, in entity: CompiledEntity) {
    guard case .column(let attribute?) = key else {
      self = .other
      return
    }
    self =
      switch entity.attributes[attribute].type {
      case .double, .float, .date: .number
      case .decimal: .decimal
      default: .other
      }
  }
}
