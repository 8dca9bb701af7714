/// The trie of the paths of a plan.
struct FieldPathTrie {
  struct Node {
    /// Whether it is an array; nil while it has no parts.
    var isArray: Bool?
    var parts: [Part] = []
  }

  struct Part {
    let step: FieldPath.Component
    var slot: Int?
    var child: Int?

    var bytes: [UInt8] {
      if case .key(let key) = step { Array(key.utf8) } else { [] }
    }

    /// The hash of the key, or the index of the element.
    var hash: UInt64 {
      if case .index(let index) = step { return UInt64(index) }
      return bytes.withUnsafeBufferPointer { DuplicateKeyDetector.hash($0) }
    }
  }

  private(set) var nodes = [Node()]

  /// The node after some steps from the root; nil if a step needs the diagnostic
  /// path.
  mutating func node(at steps: [FieldPath.Component]) -> Int? {
    var node = 0
    for step in steps {
      guard let part = part(step, of: node) else { return nil }
      node = child(of: part, in: node)
    }
    return node
  }

  /// Adds a path from a node.
  ///
  /// - Returns: False if the path needs the diagnostic path.
  mutating func insert(_ path: FieldPath, at root: Int?, slot: Int) -> Bool {
    guard var node = root, let last = path.components.last else { return false }
    for step in path.components.dropLast() {
      guard let part = part(step, of: node) else { return false }
      node = child(of: part, in: node)
    }
    guard let part = part(last, of: node), nodes[node].parts[part].slot == nil else {
      return false
    }
    nodes[node].parts[part].slot = slot
    return true
  }

  /// Whether all nodes are objects, and each of their members is either a value or on the
  /// way to others.
  var dividesObjects: Bool {
    nodes.allSatisfy { node in
      node.isArray != true && node.parts.allSatisfy { $0.slot == nil || $0.child == nil }
    }
  }

  /// The paths to the nodes.
  var paths: [FieldPath] {
    var paths = nodes.map { _ in FieldPath([]) }
    // A node precedes those inside.
    for (index, node) in nodes.enumerated() {
      for part in node.parts {
        if let child = part.child {
          paths[child] = FieldPath(paths[index].components + [part.step])
        }
      }
    }
    return paths
  }

  /// Whether the keys of each object have different hashes.
  var hasDistinctHashes: Bool {
    nodes.allSatisfy { Set($0.parts.map(\.hash)).count == $0.parts.count }
  }

  private mutating func part(_ step: FieldPath.Component, of node: Int) -> Int? {
    let isArray: Bool
    switch step {
    case .key: isArray = false
    case .index(let index) where index >= 0: isArray = true
    case .index, .each: return nil
    }
    guard nodes[node].isArray ?? isArray == isArray else { return nil }
    nodes[node].isArray = isArray
    let known = nodes[node].parts.firstIndex { part in
      switch (part.step, step) {
      case (.key(let one), .key(let other)): one.utf8.elementsEqual(other.utf8)
      default: part.step == step
      }
    }
    if let known { return known }
    nodes[node].parts.append(Part(step: step))
    return nodes[node].parts.count - 1
  }

  private mutating func child(of part: Int, in node: Int) -> Int {
    if let child = nodes[node].parts[part].child { return child }
    nodes.append(Node())
    nodes[node].parts[part].child = nodes.count - 1
    return nodes.count - 1
  }
}
