package import MohoMapping

/// The errors of a call that writes several models.
///
/// After an invalid model or a row that violates a constraint, the call goes on to find the
/// errors of the others. It throws all of them together, which undoes its changes.
package final class WriteFailures {
  /// The number of errors that end a call.
  package static let limit = 100

  private var errors: [any Error] = []
  private let canContinue: () -> Bool
  private var failedKeys: RepeatedNodeKeys = [:]

  /// The position of the current model in the call, if the paths of its rows do not begin
  /// with it.
  package var position: Int?

  /// Whether a model was invalid. Its rows are not written.
  package private(set) var hasInvalidModels = false

  /// - Parameter canContinue: Whether rows can be written after one that violates a
  ///   constraint.
  package init(_ canContinue: @escaping () -> Bool) { self.canContinue = canContinue }

  package var isEmpty: Bool { errors.isEmpty }

  /// The number of errors.
  package var count: Int { errors.count }

  /// Adds an error.
  ///
  /// - Parameters:
  ///   - path: The path of the model.
  ///   - isOfStatement: Whether a statement can have failed.
  ///   - ignoresReferences: Whether references to rows that do not exist may be consequences
  ///     of other errors. They are not added.
  /// - Throws: The error if it is not about a model or a row, or if no other rows can be
  ///   written; all errors if there are too many.
  package func add(
    _ error: any Error, at path: FieldPath? = nil, ofStatement isOfStatement: Bool = true,
    ignoringReferences ignoresReferences: Bool = false
  ) throws {
    switch error {
    case let error as MappingError where error.code != .invalidDeclaration:
      hasInvalidModels = true
      errors += error.errors as [any Error]
    case let error as StoreError where error.isAboutRow && (!isOfStatement || canContinue()):
      errors += error.errors.map { located($0, at: path) }.filter { error in
        !ignoresReferences || (error as? StoreError)?.code != .danglingReference
      }
    default: throw error
    }
    if errors.count >= Self.limit { try check() }
  }

  /// The position of the model in the call.
  private static func position(of error: any Error) -> Int? {
    let path = (error as? StoreError)?.path ?? (error as? MappingError)?.path
    guard case .index(let index)? = path?.components.first else { return nil }
    return index
  }

  /// Adds the position of the model to an error.
  private func located(_ error: any Error, at path: FieldPath?) -> any Error {
    guard var error = error as? StoreError, error.path == nil, let path else { return error }
    error.path = FieldPath(position.map { [.index($0)] } ?? []).appending(path)
    return error
  }

  /// Throws all errors, in the order of the models.
  package func check() throws {
    guard !errors.isEmpty else { return }
    let order = errors.enumerated().map { (Self.position(of: $1) ?? .max, $0) }.sorted { $0 < $1 }
    let errors = order.map { self.errors[$0.1] }
    let invalid = errors.compactMap { $0 as? MappingError }
    if invalid.count == errors.count, let error = MappingError(invalid) { throw error }
    throw StoreError(combining: errors)
  }
}

// Rows that lead to a row with an error are not written: their errors would be consequences.
extension WriteFailures {
  /// Adds the error of a row, which has not been written.
  package func add(_ error: any Error, of row: GraphRow) throws {
    skip(row)
    guard let invalid = error as? MappingError else { return try add(error, at: row.path) }
    try add(invalid.locating(at: row.path))
  }

  private func skip(_ row: GraphRow) {
    row.hasFailed = true
    guard let key = UniqueKey(row.key) else { return }
    failedKeys[ObjectIdentifier(row.node.model), default: []].insert(key)
  }

  /// Returns the rows that can be written.
  package func writable(_ rows: [GraphRow]) -> [GraphRow] {
    if isEmpty { return rows }
    return rows.filter { row in
      if row.hasFailed { return false }
      let leadsToFailure = row.node.links.contains { link in
        link.storage == .column && isMissing(row.target(of: link), link)
      }
      if leadsToFailure { skip(row) }
      return !leadsToFailure
    }
  }

  /// Returns the rows whose links in other rows or in a link table can be written.
  package func writable(_ rows: [GraphRow], linkedBy link: NodeLink) -> [GraphRow] {
    if isEmpty { return rows }
    return rows.filter { row in
      !row.hasFailed && !(row.members[link.index] ?? []).contains { isMissing($0, link) }
    }
  }

  private func isMissing(_ target: RowTarget, _ link: NodeLink) -> Bool {
    switch target {
    case .nothing: return false
    case .row(let row): return row.hasFailed
    case .key(let content):
      guard let key = UniqueKey(content) else { return false }
      return failedKeys[ObjectIdentifier(link.target)]?.contains(key) ?? false
    }
  }
}
