import MohoMapping

/// The paths of a mapping's keys, prepared once so that looking one up converts
/// no strings and allocates nothing.
struct PathTable: Sendable {
  private enum Step {
    /// The key whose bytes are at these positions of `keys`.
    case key(Range<Int>)
    case index(Int)
    /// The value is an array, which is collected from.
    case each
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
  /// The ways to values that the paths are; nil where documents do not hold the
  /// key.
  private(set) var ways: [FieldPath?] = []
  /// What the paths that collect lead to inside each element.
  private var collected: [Int: PathTable] = [:]
  /// The positions of the alternatives of each key, which come behind all keys;
  /// empty where no key has any.
  private var alternatives: [Range<Int>] = []

  init(_ paths: [FieldPath?]) {
    for path in paths { append(path) }
  }

  init(_ keys: [MappingKey]) {
    self.init(keys.map(\.source))
    guard keys.contains(where: { !$0.alternatives.isEmpty }) else { return }
    for key in keys {
      let start = ranges.count
      for path in key.alternatives { append(path) }
      alternatives.append(start..<ranges.count)
    }
  }

  private mutating func append(_ path: FieldPath?) {
    let start = steps.count
    if let path {
      for component in path.valuePath.components { append(component) }
      if let inside = path.elementPath {
        steps.append(.each)
        collected[ranges.count] = PathTable([inside])
      }
    } else {
      steps.append(.nowhere)
    }
    ranges.append(start..<steps.count)
    ways.append(path?.valuePath)
  }

  private mutating func append(_ component: FieldPath.Component) {
    switch component {
    case .each:
      steps.append(.each)
    case .index(let index):
      steps.append(.index(index))
    case .key(let key):
      let start = keys.count
      keys += key.utf8.map { CChar(bitPattern: $0) }
      steps.append(.key(start..<keys.count))
    }
  }

  /// What the path at a position leads to inside each element of the array that
  /// it collects from; nil where it does not collect.
  func collected(_ path: Int) -> PathTable? { collected.isEmpty ? nil : collected[path] }

  /// The ways to the alternatives of a key.
  func alternatives(of key: Int) -> [FieldPath] {
    alternatives.isEmpty ? [] : ways[alternatives[key]].compactMap { $0 }
  }

  /// Follows the path of the key at a position, and its alternatives where there
  /// is nothing.
  ///
  /// - Returns: What there is, and the position of the path where it is: the
  ///   key's own, unless there is something only at an alternative.
  @inline(__always)
  func find(key: Int, from root: JSONNode) -> (path: Int, finding: Finding) {
    let own = find(key, from: root)
    return alternatives.isEmpty ? (key, own) : findAlternative(of: key, own, from: root)
  }

  @inline(never)
  private func findAlternative(
    of key: Int, _ own: Finding, from root: JSONNode
  ) -> (path: Int, finding: Finding) {
    guard !alternatives[key].isEmpty, !isSomething(own, at: key) else { return (key, own) }
    for path in alternatives[key] {
      let finding = find(path, from: root)
      if isSomething(finding, at: path) { return (path, finding) }
    }
    return (key, own)
  }

  /// Whether there is anything at a path: not where each element of an array
  /// that is collected from blocks the way.
  private func isSomething(_ finding: Finding, at path: Int) -> Bool {
    guard case .value(let node) = finding else { return false }
    guard let inside = collected(path), node.elementCount > 0 else { return true }
    return (0..<node.elementCount).contains { index in
      let finding = node.element(at: index).map { inside.find(0, from: $0) }
      return if case .obstacle = finding { false } else { true }
    }
  }

  /// Follows the path at a position; where it collects, to the array.
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
        case (_, .null), (.each, .array): return .value(node)
        case (.key, _):
          return .obstacle(node, steps: position - range.lowerBound, expected: .object)
        case (.index, _), (.each, _):
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
