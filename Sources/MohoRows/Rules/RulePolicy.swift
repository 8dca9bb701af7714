import MohoMapping

/// What opening a store does with stored rows that break the rules of their mappings.
///
/// Rules are closures, so a store cannot recognize that they have changed. It checks the
/// rows when it records another version, other migrations or other forms of values. Opening
/// it again with the same declarations checks nothing. To check at any time, use
/// ``StoreReader/invalidRows(of:limit:)``.
///
/// A new store has no rows to check. A store that only reads checks nothing.
public enum RulePolicy: Sendable {
  /// Checks nothing. Reading a row that breaks a rule throws an error that names the row.
  case unchecked
  /// Reports the models with rows that break rules. The closure is called in the
  /// transaction that opens the store, and must not use the store. It is not called if
  /// all rows satisfy the rules.
  case report(@Sendable ([InvalidRows]) -> Void)
  /// Runs the repairing rules of all mappings, and saves the repaired models. Models that
  /// no key identifies cannot be saved again and are only checked. Reports the rows that
  /// still break rules.
  case repair(@Sendable ([InvalidRows]) -> Void)
  /// Throws a ``StoreError`` with the code ``StoreError/Code/invalidRows``. The store is
  /// unchanged.
  case refuse
}

extension RulePolicy {
  /// Whether opening a store reads all rows.
  package var checks: Bool { if case .unchecked = self { false } else { true } }

  /// Applies the policy in the transaction that opens a store.
  package func apply(_ writer: StoreWriter) throws {
    switch self {
    case .unchecked: return
    case .report(let report):
      let invalid = try writer.invalidRows()
      if !invalid.isEmpty { report(invalid) }
    case .repair(let report):
      for model in writer.session.schema.storedModels { try writer.repair(model) }
      let invalid = try writer.invalidRows()
      if !invalid.isEmpty { report(invalid) }
    case .refuse:
      guard let first = try writer.invalidRows().first else { return }
      throw StoreError(
        .invalidRows, entity: first.entity,
        keys: first.failures.first.flatMap { $0.error.errors.compactMap(\.key) } ?? [],
        reason: "\(first)".replacing("\n ", with: ";"),
        suggestion: "repair the rows, or open the store with another rule policy")
    }
  }
}

extension Schema {
  /// The models, in the order of their entities.
  fileprivate var storedModels: [any MappedModel.Type] {
    entities.compactMap { models[$0.name]?.model }
  }
}

extension StoreWriter {
  fileprivate func invalidRows() throws -> [InvalidRows] {
    try session.schema.storedModels.map { try invalidRows($0) }.filter { !$0.isEmpty }
  }

  private func invalidRows<Model: MappedModel>(_ model: Model.Type) throws -> InvalidRows {
    try reader.invalidRows(of: model, limit: 10)
  }

  fileprivate func repair<Model: MappedModel>(_ model: Model.Type) throws {
    if try session.schema.entity(of: model).identifyingKeys.isEmpty { return }
    for rowIDs in try reader.fetchIdentities(ModelRequest<Model>()).batches {
      var reading = try LossyReading(model, reader)
      try reading.read(rowIDs)
      try save(reading.models)
    }
  }
}
