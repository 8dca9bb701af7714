import MohoMapping

extension EditingContext {
  /// Validates changed rows with the rules of their models' mappings.
  ///
  /// Keys that have already failed are not validated again. In this case, the
  /// rules for the whole model are also skipped, because the model cannot be
  /// created from an invalid value.
  ///
  /// - Parameter known: The keys that have already failed, by row.
  func ruleFailures(
    of pending: [Int], besides known: [RowIdentity: Set<String>]
  ) throws -> [ValidationFailure] {
    var failures: [ValidationFailure] = []
    for row in pending where graph[row].isAlive && !graph[row].isFault {
      guard let model = store.schema.models[graph.entity(of: row).name]?.model else { continue }
      let identity = graph[row].identity
      failures += try errors(of: row, by: model, besides: known[identity]).map { error in
        ValidationFailure(
          .failedRule, identity, error.key.map { [$0] } ?? [],
          found: error.found ?? "the row", expected: error.expected, underlying: error)
      }
    }
    return failures
  }

  private func errors<Model: MappedModel>(
    of row: Int, by model: Model.Type, besides known: Set<String>?
  ) throws -> [MappingError] {
    let mapping = model.mapping
    guard let values = graph[row].current else { return [] }
    let entity = graph.entity(of: row)
    var contents: [FieldContent?] = mapping.keys.map { key in
      if key.isTransient || known?.contains(key.name) == true { return nil }
      return entity.attribute(key.name).map { values.attributes[$0] }
    }
    if known != nil { return mapping.errors(in: contents, isWhole: false) }
    guard mapping.hasModelRules, mapping.hasRelations else {
      return mapping.errors(in: contents, isWhole: !mapping.hasRelations)
    }
    let errors = mapping.errors(in: contents, isWhole: false)
    guard errors.isEmpty else { return errors }
    var whole = RowContents(in: self)
    contents = try whole.contents(of: row, for: mapping.keys)
    return mapping.errors(in: contents, isWhole: true)
  }
}
