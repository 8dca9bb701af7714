import MohoMapping

/// The paths of a mapping's keys, prepared once so that looking one up converts
/// no strings and allocates nothing.
struct PathTable: Sendable {
  private enum Step {
    /// The key whose bytes are at these positions of `keys`.
    case key(Range<Int>)
    case index(Int)
    /// Documents do not hold the key.
    case nowhere
  }

  /// What there is at a path.
  enum Finding {
    case nothing
    /// A value, which is null also where null stands on the way to it.
    case value(JSONNode)
    /// A value that the path cannot lead through, behind as many steps.
    case obstacle(JSONNode, steps: Int, expected: JSONValue.Kind)
  }

  private var keys: [CChar] = []
  private var steps: [Step] = []
  private var ranges: [Range<Int>] = []

  init(_ paths: [FieldPath?]) {
    for path in paths {
      let start = steps.count
      if let path {
        for component in path.components { append(component) }
      } else {
        steps.append(.nowhere)
      }
      ranges.append(start..<steps.count)
    }
  }

  private mutating func append(_ component: FieldPath.Component) {
    switch component {
    case .index(let index):
      steps.append(.index(index))
    case .key(let key):
      let start = keys.count
      keys += key.utf8.map { CChar(bitPattern: $0) }
      steps.append(.key(start..<keys.count))
    }
  }

  /// Follows the path at a position.
  ///
  /// - Complexity: Linear in the number of its steps.
  func find(_ path: Int, from root: JSONNode) -> Finding {
    // SAFETY: The bytes are used inside the call that lends them only, and
    // Jansson keeps no key that it looks for.
    keys.withUnsafeBufferPointer { keys in
      var node = root
      let range = ranges[path]
      for position in range {
        let next: JSONNode?
        switch (steps[position], node.kind) {
        case (.key(let key), .object): next = node.member(keys[key])
        case (.index(let index), .array): next = node.element(at: index)
        case (.nowhere, _): return .nothing
        case (_, .null): return .value(node)
        case (.key, _):
          return .obstacle(node, steps: position - range.lowerBound, expected: .object)
        case (.index, _):
          return .obstacle(node, steps: position - range.lowerBound, expected: .array)
        }
        guard let next else { return .nothing }
        node = next
      }
      return .value(node)
    }
  }

  /// The value at the path at a position, null also where null stands on the
  /// way to it; nil where there is none.
  func found(_ path: Int, from root: JSONNode) -> JSONNode? {
    guard case .value(let node) = find(path, from: root) else { return nil }
    return node
  }
}
