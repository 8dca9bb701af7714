import GRDB
import MohoMapping
import MohoRows

/// An SQL expression for the identity of a row: a parameter if the identity is
/// available, otherwise a subquery by the unique key.
struct RowTerm {
  private let target: ModelNode
  private let columns: IdentifyingColumns
  private let label: String
  /// The number of the first parameter.
  private let first: Int32
  private let needsLookup: Bool

  /// - Parameters:
  ///   - target: The model of the row.
  ///   - label: The key that refers to the row, for messages.
  ///   - first: The number of the first parameter.
  ///   - isVerified: Whether to check that the row exists even if its key is its
  ///     identity. For columns, a foreign key checks this at the end of the
  ///     transaction.
  init(
    _ target: ModelNode, _ label: String, _ schema: CompiledSchema, first: Int32,
    isVerified: Bool = false
  ) {
    self.target = target
    self.label = label
    self.first = first
    columns = IdentifyingColumns(target.entity, schema)
    needsLookup =
      !target.entity.identifying.isEmpty && (!target.entity.isKeyedByIdentity || isVerified)
  }

  /// The number of the first parameter after this expression.
  var next: Int32 { first + 1 + (needsLookup ? columns.parameterCount : 0) }

  /// The SQL text of the expression. A statement may contain it several times.
  var sql: String {
    guard needsLookup else { return "?\(first)" }
    let names = [label, target.name].map { FieldContent.string($0).literal }
    let values = (first + 1..<next).map { "?\($0)" }
    return """
      coalesce(?\(first), \(columns.lookup(first: first + 1)), \
      moho_dangling(\((names + values).joined(separator: ", "))))
      """
  }

  /// Binds the row that a link refers to.
  func bind(_ row: RowTarget, to statement: PreparedStatement) throws {
    switch row {
    case .nothing: try bind(.null, .null, to: statement)
    case .key(let key): try bind(needsLookup ? .null : key, key, to: statement)
    case .row(let row):
      if let id = row.rowID {
        try bind(.int64(id), .null, to: statement)
      } else {
        let key = row.key
        try bind(needsLookup ? .null : key, key, to: statement)
      }
    }
  }

  private func bind(
    _ identity: FieldContent, _ key: FieldContent, to statement: PreparedStatement
  ) throws {
    try statement.bind(identity, at: first)
    if needsLookup { try columns.bind(key, to: statement, first: first + 1) }
  }

  /// The SQL function that is called if a row does not exist. Returns null for
  /// a nil reference, and throws an error otherwise. Its arguments are the key
  /// that refers to the row, the model, and the values of the row's key.
  static let dangling = DatabaseFunction("moho_dangling") { values in
    let key = values.dropFirst(2)
    if key.allSatisfy(\.isNull) { return nil }
    let texts = key.map { value in
      String.fromDatabaseValue(value).map { quoted($0) } ?? "\(value)"
    }
    let names = values.prefix(2).map { String.fromDatabaseValue($0) ?? "" }
    throw DatabaseError(
      resultCode: .SQLITE_CONSTRAINT_FOREIGNKEY,
      message: StoreError.dangling
        + (names + [texts.count == 1 ? texts[0] : "[\(texts.joined(separator: ", "))]"])
        .joined(separator: "\n"))
  }
}
