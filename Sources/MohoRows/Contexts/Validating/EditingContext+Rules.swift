import MohoMapping

extension EditingContext {
  /// Validates changed rows with the rules of their models' mappings.
  ///
  /// Keys that have already failed are not validated again. The rules for a whole
  /// model are skipped if the row or a row that it contains or refers to has
  /// failed, because the model cannot be created from invalid values.
  ///
  /// - Parameter known: The keys that have already failed, by row.
  func ruleFailures(
    of rows: [Int], besides known: [RowIdentity: Set<String>]
  ) throws -> [ValidationFailure] {
    var failures: [ValidationFailure] = []
    var invalid = Set(known.keys)
    for row in rows {
      let errors = model(of: row).map { keyErrors(of: row, by: $0, besides: known) } ?? []
      if !errors.isEmpty { invalid.insert(graph[row].identity) }
      failures += errors.map { failure(of: row, $0) }
    }
    for row in rows where !invalid.contains(graph[row].identity) {
      guard let model = model(of: row) else { continue }
      failures += try modelErrors(of: row, by: model, besides: invalid).map { failure(of: row, $0) }
    }
    return failures
  }

  private func model(of row: Int) -> (any MappedModel.Type)? {
    guard graph[row].isAlive, !graph[row].isFault else { return nil }
    return store.schema.models[graph.entity(of: row).name]?.model
  }

  private func failure(of row: Int, _ error: MappingError) -> ValidationFailure {
    ValidationFailure(
      .failedRule, graph[row].identity, error.key.map { [$0] } ?? [],
      found: error.found ?? "the row", expected: error.expected, underlying: error)
  }

  /// Returns the errors of the keys. If the model has no relations, its rules are
  /// included.
  private func keyErrors<Model: MappedModel>(
    of row: Int, by model: Model.Type, besides known: [RowIdentity: Set<String>]
  ) -> [MappingError] {
    guard let values = graph[row].current else { return [] }
    let entity = graph.entity(of: row)
    let failed = known[graph[row].identity]
    let contents: [FieldContent?] = model.mapping.keys.map { key in
      if key.isTransient || failed?.contains(key.name) == true { return nil }
      return entity.attribute(key.name).map { values.attributes[$0] }
    }
    return model.mapping.errors(
      in: contents, isWhole: failed == nil && !model.mapping.hasRelations)
  }

  private func modelErrors<Model: MappedModel>(
    of row: Int, by model: Model.Type, besides invalid: Set<RowIdentity>
  ) throws -> [MappingError] {
    guard model.mapping.hasModelRules, model.mapping.hasRelations else { return [] }
    var whole = RowContents(in: self)
    let contents = try whole.contents(of: row, for: model.mapping.keys)
    if whole.rows.contains(where: { invalid.contains(graph[$0].identity) }) { return [] }
    return model.mapping.errors(in: contents, isWhole: true)
  }
}
