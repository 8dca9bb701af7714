import MohoMapping

/// The paths of a mapping's keys, compiled so that a lookup allocates nothing.
struct PathTable: Sendable {
  private enum Step {
    /// The range of the key's bytes in `keys`.
    case key(Range<Int>)
    case index(Int)
    /// The value is an array to collect from.
    case each
    /// The key is not part of documents.
    case nowhere
  }

  /// The result of a lookup.
  enum Finding {
    case nothing
    /// A value, which is null if a value on the path is null.
    case value(JSONNode)
    /// A value of another type than the path requires, after some steps.
    case obstacle(JSONNode, steps: Int, expected: JSONValue.Kind)
  }

  private var keys: [UInt8] = []
  private var steps: [Step] = []
  private var ranges: [Range<Int>] = []
  /// The paths up to the values, or up to the arrays that are collected from; nil for
  /// keys that are not part of documents.
  private(set) var leads: [FieldPath?] = []
  /// The paths inside each element, of paths that collect.
  private var collected: [Int: PathTable] = [:]
  /// The positions of each key's alternatives, which follow all keys; empty if no key
  /// has alternatives.
  private var alternatives: [Range<Int>] = []

  init(_ paths: [FieldPath?]) {
    for path in paths { append(path) }
  }

  init(_ keys: [FieldKey]) {
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
    leads.append(path?.valuePath)
  }

  private mutating func append(_ component: FieldPath.Component) {
    switch component {
    case .each:
      steps.append(.each)
    case .index(let index):
      steps.append(.index(index))
    case .key(let key):
      let start = keys.count
      keys += key.utf8
      steps.append(.key(start..<keys.count))
    }
  }

  /// The path inside each element, of a path that collects.
  func collected(_ path: Int) -> PathTable? { collected.isEmpty ? nil : collected[path] }

  /// The alternative paths of a key.
  func alternatives(of key: Int) -> [FieldPath] {
    alternatives.isEmpty ? [] : leads[alternatives[key]].compactMap { $0 }
  }

  /// Follows the path of a key, or the first of its alternatives that exists.
  ///
  /// - Returns: The finding, and the position of the path that led to it.
  @inline(__always)
  func find(key: Int, from root: JSONNode) -> (path: Int, finding: Finding) {
    let own = find(key, from: root)
    return alternatives.isEmpty ? (key, own) : findAlternative(of: key, own, from: root)
  }

  /// The position of the path at which a key is read: 0 for its own path, and from 1
  /// for the alternatives. Nil if no path exists.
  func pathRead(key: Int, from root: JSONNode) -> Int? {
    let (path, finding) = find(key: key, from: root)
    guard isSomething(finding, at: path) else { return nil }
    return path == key ? 0 : path - alternatives[key].lowerBound + 1
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

  /// Whether a path exists. A path that collects does not exist if every element of the
  /// array is an obstacle.
  private func isSomething(_ finding: Finding, at path: Int) -> Bool {
    guard case .value(let node) = finding else { return false }
    guard let inside = collected(path), node.kind == .array, node.count > 0 else { return true }
    return (0..<node.count).contains { index in
      let finding = node.element(at: index).map { inside.find(0, from: $0) }
      return if case .obstacle = finding { false } else { true }
    }
  }

  /// Follows the path at a position; if it collects, up to the array.
  ///
  /// - Complexity: Linear in the number of its steps and of the members of the objects
  ///   on the way.
  func find(_ path: Int, from root: JSONNode) -> Finding {
    // SAFETY: The bytes are used only inside the call.
    keys.withUnsafeBytes { keys in
      var node = root
      let range = ranges[path]
      for position in range {
        let next: JSONNode?
        switch (steps[position], node.kind) {
        case (.key(let key), .object):
          next = node.member(UnsafeRawBufferPointer(rebasing: keys[key]))
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

  /// The value at the path at a position; nil if it does not exist.
  func found(_ path: Int, from root: JSONNode) -> JSONNode? {
    guard case .value(let node) = find(path, from: root) else { return nil }
    return node
  }
}
