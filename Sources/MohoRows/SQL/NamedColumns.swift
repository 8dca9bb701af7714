import MohoMapping

/// The columns of a query of an app that have the names of a model's keys.
///
/// A column can have exactly the name of the key, or differ in the case of ASCII letters,
/// which PostgreSQL changes in names without quotation marks. If several columns have the
/// same name, the first one is used.
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
  package init(_ names: [String], for node: ModelBinding) {
    let keyNames = node.table.keys.indices.map { index in
      node.keys[index].isColumn ? node.table.keys[index].name : nil
    }
    let positions = Positions(
      of: names, for: keyNames.compactMap { $0 } + [node.entity.identityColumn])
    let identity = positions[node.entity.identityColumn]
    let keys = keyNames.map { name in name.flatMap { positions[$0] } }
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
  package func check(for node: ModelBinding) throws {
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

/// The positions of columns by name.
private struct Positions {
  // Equal strings can have different bytes.
  private var exact: [[UInt8]: Int] = [:]
  private var folded: [[UInt8]: Int] = [:]

  /// - Parameter keys: The names that are looked up. A column with exactly one of them is not
  ///   the column of another one.
  init(of columns: [String], for keys: [String]) {
    let keys = Set(keys.map { Array($0.utf8) })
    for (position, column) in columns.enumerated().reversed() {
      let name = Array(column.utf8)
      if keys.contains(name) { exact[name] = position } else { folded[Self.fold(name)] = position }
    }
  }

  subscript(name: String) -> Int? {
    let name = Array(name.utf8)
    return exact[name] ?? folded[Self.fold(name)]
  }

  private static func fold(_ name: [UInt8]) -> [UInt8] {
    name.map { (0x41...0x5A).contains($0) ? $0 | 0x20 : $0 }
  }
}
