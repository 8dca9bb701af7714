import MohoMapping

/// Finds the arrays and objects that hold models, or says what is there
/// instead.
struct ValueReader {
  /// The name of the mapping, for messages.
  let model: String

  /// The value of a kind at a path inside another value.
  ///
  /// - Throws: `MappingError` of code `missingValue` or `invalidType`.
  func value(
    at path: FieldPath?, in node: JSONNode, from start: FieldPath, kind: JSONValue.Kind
  ) throws -> JSONNode {
    let path = path ?? FieldPath([])
    switch PathTable([path]).find(0, from: node) {
    case .value(let node) where node.kind == kind:
      return node
    case .value(let node):
      throw invalidType(node, at: start.appending(path), expected: kind)
    case .obstacle(let node, let steps, let expected):
      let passed = FieldPath(Array(path.components.prefix(steps)))
      throw invalidType(node, at: start.appending(passed), expected: expected)
    case .nothing:
      throw MappingError(.missingValue, model: model, path: start.appending(path))
    }
  }

  private func invalidType(
    _ node: JSONNode, at path: FieldPath, expected: JSONValue.Kind
  ) -> MappingError {
    MappingError(
      .invalidType, model: model, path: path, found: node.summary, expected: expected.description)
  }
}
