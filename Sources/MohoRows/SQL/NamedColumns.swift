import MohoMapping

/// The columns of a query of an app that have the names of a model's keys.
///
/// The case of ASCII letters does not matter: keys do not differ only in it, and PostgreSQL
/// changes it in names without quotation marks. If several columns have the same name, the
/// first one is used.
package struct NamedColumns {
  /// How a key stores a number. Columns of tables convert numbers, those of expressions
  /// do not.
  package enum Affinity {
    case integer
    case number
    case decimal
    case other
  }

  /// The columns of the keys, by the indexes of the keys.
  package let keys: [Int?]
  /// How the keys store numbers, by the indexes of the keys.
  package let affinities: [Affinity]
  /// The column with the identities of rows.
  package let identity: Int?
  /// The indexes of the stored keys that cannot be read. A key requires its
  /// column, a to-many relation the identity.
  package let unreadKeys: Set<Int>

  /// - Parameter names: The names of the query's columns.
  package init(_ names: [String], for node: ModelNode) {
    let positions = Dictionary(
      names.enumerated().map { (folded($1), $0) }, uniquingKeysWith: { first, _ in first })
    let identity = positions[folded(node.entity.identityColumn)]
    let keys = node.table.keys.indices.map { index in
      node.keys[index].isColumn ? positions[folded(node.table.keys[index].name)] : nil
    }
    self.identity = identity
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
  package func check(for node: ModelNode) throws {
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
  fileprivate init(of key: NodeKey, in entity: CompiledEntity) {
    guard case .column(let attribute?) = key else {
      self = .other
      return
    }
    self =
      switch entity.attributes[attribute].type {
      case .double, .float, .date: .number
      case .decimal: .decimal
      case .int16, .int32, .int64, .uint64: .integer
      case .string, .url, .boolean, .data, .uuid, .structured: .other
      }
  }

  /// Returns the form that the key stores for an integer, and all other values as they are.
  package func converting(_ value: StoredValue) -> StoredValue {
    guard case .integer(let integer) = value else { return value }
    return switch self {
    case .number: .number(Double(integer))
    case .decimal: .text("\(integer)")
    case .integer, .other: value
    }
  }
}
