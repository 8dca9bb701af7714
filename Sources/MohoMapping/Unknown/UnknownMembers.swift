/// The paths of unknown members that are written into an object.
package struct UnknownMembers {
  private let model: String
  private let key: String
  private let object: FieldPath

  /// - Parameters:
  ///   - model: The name of the model that keeps the members.
  ///   - key: The name of the key that does.
  ///   - object: The way to the object.
  package init(of model: String, at key: String, in object: FieldPath) {
    self.model = model
    self.key = key
    self.object = object
  }

  /// The path that a member's name spells.
  ///
  /// - Throws: ``MappingError`` where it spells none.
  package func path(_ name: String) throws -> FieldPath {
    let path = FieldPath(stringLiteral: name)
    // Names of no characters are no mistake: documents have them.
    let isPath = path.problem == nil || path.description == name
    guard isPath, path.components.count <= FieldPath.maximumLength, path.elementPath == nil else {
      throw error(name, at: object, expected: "path of a member")
    }
    return FieldPath(path.components)
  }

  /// Claims the path of a member.
  ///
  /// - Throws: ``MappingError`` where a key or another member is there.
  package func claim(_ path: FieldPath, in claims: inout ClaimedPaths) throws {
    guard claims.insert(path) else {
      throw error(
        path.description, at: object.appending(path),
        expected: "member that neither a key nor another member is in the way of")
    }
  }

  private func error(_ name: String, at path: FieldPath, expected: String) -> MappingError {
    MappingError(
      .invalidValue, model: model, key: key, path: path, found: "member \(quoted(name))",
      expected: expected)
  }
}

extension MappingKeys {
  /// The keys that unknown members are written as, each at its path. Null is
  /// written of them whatever the policy.
  package convenience init(unknown members: [(name: String, path: FieldPath)], of model: String) {
    self.init(
      members.map { MappingKey.part($0.name, at: $0.path, .null, hasDefault: true) }, of: model)
  }
}
