import MohoMapping

extension EditingContext {
  /// Validates changed rows with the rules of their models' mappings. In a child context, also
  /// rows whose rules may read a changed row.
  ///
  /// Keys that have already failed are not validated again. The rules for a whole
  /// model are skipped if the row or a row that it contains or refers to has
  /// failed, because the model cannot be created from invalid values.
  ///
  /// If nothing else refuses the rows, the store checks rules over related rows when they are
  /// saved: the context may have read rows at different times.
  ///
  /// - Parameters:
  ///   - known: The keys that have already failed, by row.
  ///   - isRefused: Whether the rows cannot be saved for another reason.
  func ruleFailures(
    of rows: [Int], besides known: [RowIdentity: Set<String>], isRefused: Bool
  ) throws -> [ValidationFailure] {
    var failures: [ValidationFailure] = []
    var invalid = Set(known.keys)
    var columns: [Int: [Int?]] = [:]
    for row in rows {
      guard let model = model(of: row) else { continue }
      let entity = graph[row].entity
      let found = columns[entity] ?? self.columns(of: model, in: graph.entity(of: row))
      columns[entity] = found
      let errors = keyErrors(of: row, by: model, found, besides: known)
      if !errors.isEmpty { invalid.insert(graph[row].identity) }
      failures += errors.map { failure(of: row, $0) }
    }
    guard schema.hasRulesOverRelations, parent != nil || isRefused || !failures.isEmpty else {
      return failures
    }
    return failures + (try modelFailures(of: rows + rowsReading(rows), besides: invalid))
  }

  /// Returns the failures of rules that may read related rows. A row that contains a row with
  /// such failures is omitted.
  ///
  /// The context may have read unchanged rows at different times, so it does not report their
  /// failures. The store checks them when the context is saved.
  private func modelFailures(
    of rows: [Int], besides invalid: Set<RowIdentity>
  ) throws -> [ValidationFailure] {
    var found: [(row: Int, contained: Set<Int>, errors: [MappingError])] = []
    var rows = rows
    var seen = Set(rows)
    let changed = seen
    var next = 0
    while next < rows.count {
      let row = rows[next]
      next += 1
      guard !invalid.contains(graph[row].identity), let model = model(of: row) else { continue }
      let (contained, errors) = try modelErrors(of: row, by: model, besides: invalid)
      if errors.isEmpty { continue }
      found.append((row, contained, errors))
      // The rule that failed may be that of a row that this one contains.
      rows += contained.sorted().filter { seen.insert($0).inserted }
    }
    let failed = Set(found.map(\.row))
    return found.filter { found in
      (parent != nil || changed.contains(found.row))
        && !found.contained.contains { $0 != found.row && failed.contains($0) }
    }
    .flatMap { found in found.errors.map { failure(of: found.row, $0) } }
  }

  /// Runs a closure that saves a plan, and checks the rules over the rows that it has written,
  /// including rules of rows that the context has not loaded.
  ///
  /// - Throws: A ``RowValidationError``, or a ``StoreError`` if the saved rows refer to rows
  ///   that do not exist.
  func checkingRules<Result>(
    of plan: ContextPlan, _ writer: StoreWriter, _ save: () throws -> Result
  ) throws -> Result {
    guard schema.hasRulesOverRelations else { return try save() }
    let (result, broken) = try writer.findingBrokenRules(save)
    guard broken.isEmpty else {
      try writer.session.checkReferences()
      let known = Dictionary(
        plan.identities.map { ($1, graph[$0].identity) }, uniquingKeysWith: { one, _ in one })
      throw RowValidationError(
        sorting: broken.flatMap { failure in
          let row = known[failure.identity] ?? failure.identity
          return failure.error.errors.map { self.failure(of: row, $0) }
        })
    }
    writer.session.hasCheckedRules = true
    return result
  }

  private func model(of row: Int) -> (any MappedModel.Type)? {
    guard graph[row].isAlive, !graph[row].isFault else { return nil }
    return store.schema.models[graph.entity(of: row).name]?.model
  }

  private func failure(of row: Int, _ error: MappingError) -> ValidationFailure {
    failure(of: graph[row].identity, error)
  }

  private func failure(of row: RowIdentity, _ error: MappingError) -> ValidationFailure {
    ValidationFailure(
      .failedRule, row, error.key.map { [$0] } ?? [],
      found: error.found ?? "the row", expected: error.expected, underlying: error)
  }

  /// Returns the index of the attribute of each key. It is nil for relations and transient
  /// keys.
  private func columns<Model: MappedModel>(
    of model: Model.Type, in entity: CompiledEntity
  ) -> [Int?] {
    model.mapping.keys.map { $0.isTransient ? nil : entity.attribute($0.name) }
  }

  /// Returns the errors of the keys. If the model has no relations, its rules are
  /// included.
  ///
  /// - Parameter columns: The index of the attribute of each key.
  private func keyErrors<Model: MappedModel>(
    of row: Int, by model: Model.Type, _ columns: [Int?], besides known: [RowIdentity: Set<String>]
  ) -> [MappingError] {
    guard let values = graph[row].current else { return [] }
    let failed = known[graph[row].identity]
    let mapping = model.mapping
    var contents = columns.map { column in column.map { values.attributes[$0] } }
    if let failed {
      for (index, key) in mapping.keys.enumerated() where failed.contains(key.name) {
        contents[index] = nil
      }
    }
    return mapping.errors(in: contents, isWhole: failed == nil && !mapping.hasRelations)
  }

  /// Returns the errors of rules that may read related rows, and the rows that the
  /// row contains.
  ///
  /// Returns no errors if another writer has deleted a row that the model reads. If the row
  /// itself has changed, this is a conflict. The rules are checked when the rows are saved.
  private func modelErrors<Model: MappedModel>(
    of row: Int, by model: Model.Type, besides invalid: Set<RowIdentity>
  ) throws -> (contained: Set<Int>, errors: [MappingError]) {
    let mapping = model.mapping
    guard mapping.hasRulesOverRelations else { return ([], []) }
    var whole = RowContents(in: self)
    let contents: [FieldContent?]
    do {
      contents = try whole.contents(of: row, for: mapping.keys)
    } catch let error as StoreError where error.code == .rowNotFound {
      return ([], [])
    }
    if whole.rows.contains(where: { invalid.contains(graph[$0].identity) }) { return ([], []) }
    return (whole.containedRows, mapping.errors(in: contents, isWhole: true))
  }
}
