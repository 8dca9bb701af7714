import MohoMapping

extension EditingContext {
  /// What is wrong with rows to be written by the rules of their models'
  /// mappings, beside the rows that other failures name.
  func ruleFailures(
    of pending: [Int], besides known: Set<RowIdentity>
  ) throws -> [ValidationFailure] {
    var failures: [ValidationFailure] = []
    for row in pending where graph[row].isAlive && !known.contains(graph[row].identity) {
      let entity = graph.entity(of: row)
      guard !graph[row].isFault, let model = store.schema.models[entity.name]?.model else {
        continue
      }
      let identity = graph[row].identity
      failures += try errors(of: row, by: model).map { error in
        ValidationFailure(
          .failedRule, identity, error.key.map { [$0] } ?? [],
          found: error.found ?? "the row", expected: error.expected, underlying: error)
      }
    }
    return failures
  }

  private func errors<Model: MappedModel>(
    of row: Int, by model: Model.Type
  ) throws -> [MappingError] {
    let mapping = model.mapping
    guard let values = graph[row].current else { return [] }
    let entity = graph.entity(of: row)
    var contents: [FieldContent?] = mapping.keys.map { key in
      key.isTransient ? nil : entity.attribute(key.name).map { values.attributes[$0] }
    }
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
