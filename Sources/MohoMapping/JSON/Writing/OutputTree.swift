/// The structure of encoded objects: the keys of a mapping at their paths. Keys with a
/// common parent object follow its first key.
package struct OutputTree: Sendable {
  enum Node: Sendable {
    /// The value of the key at a position of the mapping.
    case value(Int)
    case object([Member])
    case array([Element])
  }

  struct Member: Sendable {
    let key: String
    var node: Node
  }

  struct Element: Sendable {
    let index: Int
    var node: Node
  }

  private(set) var root = Node.object([])
  /// The number of levels that are written even if they are empty: the root and the
  /// envelope.
  let requiredDepth: Int
  /// The paths inside each element, by the positions of the paths that collect.
  private(set) var collected: [Int: FieldPath] = [:]

  /// Creates the tree of distinct paths, none of which leads through another. Inlined
  /// keys are omitted. Keys that collect are at the path of their array.
  ///
  /// - Parameters:
  ///   - paths: The paths of the keys.
  ///   - order: The positions of the keys in the order of writing; by default, the
  ///     order of the paths.
  ///   - envelope: The path of the object.
  package init(_ paths: [FieldPath?], order: [Int]? = nil, envelope: FieldPath?) {
    let envelope = envelope?.components ?? []
    requiredDepth = envelope.count + 1
    if !envelope.isEmpty { root = Self.wrapping(.object([]), in: envelope[...]) }
    for position in order ?? Array(paths.indices) {
      guard let path = paths[position] else { continue }
      collected[position] = path.elementPath
      let way = path.valuePath.components
      guard !way.isEmpty else { continue }
      Self.insert(.value(position), at: (envelope + way)[...], into: &root)
    }
  }

  private static func insert(
    _ leaf: Node, at path: ArraySlice<FieldPath.Component>, into node: inout Node
  ) {
    guard let component = path.first else { return node = leaf }
    let rest = path.dropFirst()
    switch (component, node) {
    case (.key(let key), .object(var members)):
      if let position = members.firstIndex(where: { $0.key.utf8.elementsEqual(key.utf8) }) {
        insert(leaf, at: rest, into: &members[position].node)
      } else {
        members.append(Member(key: key, node: wrapping(leaf, in: rest)))
      }
      node = .object(members)
    case (.index(let index), .array(var elements)):
      if let position = elements.firstIndex(where: { $0.index == index }) {
        insert(leaf, at: rest, into: &elements[position].node)
      } else {
        let position = elements.firstIndex { $0.index > index } ?? elements.count
        elements.insert(Element(index: index, node: wrapping(leaf, in: rest)), at: position)
      }
      node = .array(elements)
    default:
      node = wrapping(leaf, in: path)
    }
  }

  private static func wrapping(
    _ leaf: Node, in path: ArraySlice<FieldPath.Component>
  ) -> Node {
    path.reversed().reduce(leaf) { node, component in
      switch component {
      case .key(let key): .object([Member(key: key, node: node)])
      case .index(let index): .array([Element(index: index, node: node)])
      // The adapter refuses such an envelope.
      case .each: node
      }
    }
  }
}

extension OutputTree {
  /// The tree with sorted members.
  package var sorted: OutputTree {
    var tree = self
    tree.root = root.sorted
    return tree
  }
}

extension OutputTree.Node {
  fileprivate var sorted: Self {
    switch self {
    case .value: self
    case .object(let members):
      .object(
        members.sorted(byBytesOf: \.key)
          .map { OutputTree.Member(key: $0.key, node: $0.node.sorted) })
    case .array(let elements):
      .array(elements.map { OutputTree.Element(index: $0.index, node: $0.node.sorted) })
    }
  }
}
