/// Resolves the paths of unknown members that are written to an object.
package struct UnknownMembers {
  private let model: String
  private let key: String
  private let object: FieldPath

  /// - Parameters:
  ///   - model: The name of the model that has the members.
  ///   - key: The name of the key that has them.
  ///   - object: The path of the object.
  package init(of model: String, at key: String, in object: FieldPath) {
    self.model = model
    self.key = key
    self.object = object
  }

  /// Parses the name of a member.
  ///
  /// - Throws: ``MappingError`` if the name is not a path.
  package func path(_ name: String) throws -> FieldPath {
    let path = FieldPath(stringLiteral: name)
    // Documents can contain empty names.
    let isPath = path.problem == nil || path.description == name
    guard isPath, !path.isTooLong, path.elementPath == nil else {
      throw error(name, at: object, expected: "path of a member")
    }
    return FieldPath(path.components)
  }

  /// Claims the path of a member.
  ///
  /// - Throws: ``MappingError`` if a key or another member has the path.
  package func claim(_ path: FieldPath, in claims: inout ClaimedPaths) throws {
    guard claims.insert(path) else {
      throw error(
        path.description, at: object.appending(path),
        expected: "member whose path no key or other member has")
    }
  }

  private func error(_ name: String, at path: FieldPath, expected: String) -> MappingError {
    MappingError(
      .invalidValue, model: model, key: key, path: path, found: "member \(quoted(name))",
      expected: expected)
  }
}

extension FieldKeys {
  /// Creates keys for unknown members, each at its path. Null members are
  /// written under every null policy.
  package convenience init(unknown members: [(name: String, path: FieldPath)], of model: String) {
    self.init(
      members.map { FieldKey.synthetic($0.name, at: $0.path, .null, hasDefault: true) }, of: model
    )
  }
}
