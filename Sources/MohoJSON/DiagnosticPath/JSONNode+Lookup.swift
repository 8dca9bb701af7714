import MohoMapping

extension JSONNode {
  /// The value of a kind at a path.
  ///
  /// - Parameters:
  ///   - start: The path of this value, for errors.
  ///   - model: The name of the mapping, for errors.
  /// - Throws: `MappingError` of code `missingValue` or `invalidType`.
  func value(
    at path: FieldPath, kind: JSONValue.Kind, from start: FieldPath, model: String
  ) throws -> JSONNode {
    switch PathTable([path]).find(0, from: self) {
    case .value(let node) where node.kind == kind:
      return node
    case .value(let node):
      throw MappingError(
        .invalidType, model: model, path: start.appending(path), found: node.summary,
        expected: kind.description)
    case .obstacle(let node, let steps, let expected):
      let passed = FieldPath(Array(path.components.prefix(steps)))
      throw MappingError(
        .invalidType, model: model, path: start.appending(passed), found: node.summary,
        expected: expected.description)
    case .nothing:
      throw MappingError(.missingValue, model: model, path: start.appending(path))
    }
  }

  /// The offset of the value at a path, or of the last value on the way to it.
  func offset(at path: ArraySlice<FieldPath.Component>) -> Int {
    var node = self
    for component in path {
      guard let next = node.step(to: component) else { break }
      node = next
    }
    return node.offset
  }

  /// The child that a component of a path refers to.
  func step(to component: FieldPath.Component) -> JSONNode? {
    switch component {
    case .each: nil
    case .index(let index): element(at: index)
    case .key(var key): key.withUTF8 { member(UnsafeRawBufferPointer($0)) }
    }
  }

  /// The number of steps of a path to its value, or to a value that blocks it. Nil if
  /// the path does not exist.
  func reach(_ path: FieldPath) -> Int? {
    var node = self
    for (steps, component) in path.components.enumerated() {
      guard let next = node.step(to: component) else {
        return node.hasSteps(like: component) ? nil : steps
      }
      node = next
    }
    return path.components.count
  }

  private func hasSteps(like component: FieldPath.Component) -> Bool {
    switch component {
    case .key: kind == .object
    case .index, .each: kind == .array
    }
  }

  /// A key that resembles the first component of a path that does not exist.
  ///
  /// - Parameter others: Paths of other keys, whose components are not suggested.
  func similarKey(to path: FieldPath, besides others: [FieldPath?]) -> String? {
    var node = self
    for (depth, component) in path.components.enumerated() {
      if let next = node.step(to: component) {
        node = next
        continue
      }
      guard case .key(let key) = component else { return nil }
      let parent = path.components.prefix(depth)
      let taken = Set(
        others.compactMap { other -> String? in
          guard let other, other.components.starts(with: parent),
            case .key(let key)? = other.components.dropFirst(depth).first
          else { return nil }
          return key
        })
      var names: [String] = []
      node.forEachMember { name, _ in
        if !taken.contains(name) { names.append(name) }
      }
      return similar(to: key, among: names)
    }
    return nil
  }
}

extension [MappingError] {
  /// The errors with the positions of their values.
  ///
  /// - Parameters:
  ///   - root: The value at which the paths begin, after some components.
  ///   - count: The number of these components.
  ///   - bytes: The text from an offset on.
  ///   - start: The position at which these bytes begin.
  ///   - start: The offset of these bytes in the text of the root's tree.
  func located(
    in root: JSONNode, dropping count: Int = 0, _ bytes: UnsafeRawBufferPointer,
    from start: SourceLocator = SourceLocator(), offsetBy startOffset: Int = 0
  ) -> [MappingError] {
    guard !isEmpty else { return [] }
    let errors = flatMap(\.errors)
    let offsets = errors.map { error in
      error.path.map { root.offset(at: $0.components.dropFirst(count)) - startOffset }
    }
    let positions = start.positions(of: offsets.compactMap(\.self), in: bytes)
    return zip(errors, offsets).map { error, offset in
      var located = error
      if let offset { located.position = positions[offset] }
      return located
    }
  }
}
