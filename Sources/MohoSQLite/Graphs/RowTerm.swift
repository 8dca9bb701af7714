import GRDB
import MohoMapping
import MohoRows

/// An SQL expression for the identity of a row: a parameter if the identity is
/// available, otherwise a subquery by the unique key.
struct RowTerm {
  private let target: ModelBinding
  private let label: String
  /// The number of the first parameter.
  private let first: Int32
  /// Whether to check that the row exists even if its key is its identity. For
  /// columns, a foreign key checks this at the end of the transaction.
  private let isVerified: Bool

  /// - Parameters:
  ///   - target: The model of the row.
  ///   - label: The key that refers to the row, for messages.
  ///   - first: The number of the first parameter.
  ///   - isVerified: Whether to check that the row exists.
  init(_ target: ModelBinding, _ label: String, first: Int32, isVerified: Bool = false) {
    self.target = target
    self.label = label
    self.first = first
    self.isVerified = isVerified
  }

  /// The number of the first parameter after this expression.
  var next: Int32 { first + (needsLookup ? 2 : 1) }

  private var needsLookup: Bool {
    target.entity.uniqueAttribute != nil && (!target.entity.isKeyedByIdentity || isVerified)
  }

  /// The SQL text of the expression. A statement may contain it several times.
  var sql: String {
    guard needsLookup, let unique = target.entity.uniqueName else { return "?\(first)" }
    let names = [label, target.name].map { FieldContent.string($0).literal }
    return """
      coalesce(?\(first), (SELECT \(target.identity) FROM \(quotedName(target.name)) \
      WHERE \(quotedName(unique)) = ?\(first + 1)), \
      moho_dangling(?\(first + 1), \(names.joined(separator: ", "))))
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
        try bind(needsLookup ? .null : row.key, row.key, to: statement)
      }
    }
  }

  private func bind(
    _ identity: FieldContent, _ key: FieldContent, to statement: PreparedStatement
  ) throws {
    try statement.bind(identity, at: first)
    if needsLookup { try statement.bind(key, at: first + 1) }
  }

  /// The SQL function that is called if a row does not exist. Returns null for
  /// a nil reference, and throws an error otherwise.
  static let dangling = DatabaseFunction("moho_dangling", argumentCount: 3) { values in
    if values[0].isNull { return nil }
    let names = values[1...].map { String.fromDatabaseValue($0) ?? "" }
    let value = String.fromDatabaseValue(values[0]).map { quoted($0) }
    throw DatabaseError(
      resultCode: .SQLITE_CONSTRAINT_FOREIGNKEY,
      message: StoreError.dangling
        + (names + [value ?? "\(values[0])"]).joined(separator: "\n"))
  }
}
