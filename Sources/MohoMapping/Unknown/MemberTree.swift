/// The positions of members by their paths. Names are compared by their UTF-8
/// bytes, as in documents.
// The nodes are in an array, so that no function recurses over a path.
struct MemberTree {
  private enum Step: Hashable {
    case member(MemberName)
    case element(Int)
    case each

    init(_ component: FieldPath.Component) {
      switch component {
      case .key(let name): self = .member(MemberName(name))
      case .index(let index): self = .element(index)
      case .each: self = .each
      }
    }

    var isMember: Bool { if case .member = self { true } else { false } }
  }

  private struct Node {
    var children: [Step: Int] = [:]
    /// The position of the member at the path.
    var position: Int?
    /// The number of members at the path and inside it.
    var count = 0
  }

  private var nodes = [Node()]

  /// Returns the position of the member at a path.
  ///
  /// - Complexity: Linear in the length of the path, as all operations.
  func position(at path: FieldPath) -> Int? { node(at: path)?.position }

  /// Returns the position of the first member that a path leads through, and the
  /// number of steps to it.
  func outerPosition(of path: FieldPath) -> (position: Int, steps: Int)? {
    for (steps, node) in nodes(along: path).enumerated() where steps < path.components.count {
      if let position = nodes[node].position { return (position, steps) }
    }
    return nil
  }

  /// Whether members are inside a path.
  func hasPositions(inside path: FieldPath) -> Bool {
    node(at: path).map { $0.count > ($0.position == nil ? 0 : 1) } ?? false
  }

  /// Whether members are in elements of the value at a path.
  func hasElements(at path: FieldPath) -> Bool {
    node(at: path)?.children.contains { !$0.key.isMember && nodes[$0.value].count > 0 } ?? false
  }

  /// Inserts a member, unless the path has one.
  mutating func insert(_ position: Int, at path: FieldPath) {
    var way = [0]
    for component in path.components {
      let (step, node) = (Step(component), way[way.count - 1])
      if let next = nodes[node].children[step] {
        way.append(next)
      } else {
        nodes[node].children[step] = nodes.count
        way.append(nodes.count)
        nodes.append(Node())
      }
    }
    guard nodes[way[way.count - 1]].position == nil else { return }
    nodes[way[way.count - 1]].position = position
    for node in way { nodes[node].count += 1 }
  }

  /// Removes the member at a path, if there is one.
  mutating func remove(at path: FieldPath) {
    let way = nodes(along: path)
    guard way.count == path.components.count + 1, nodes[way[way.count - 1]].position != nil else {
      return
    }
    nodes[way[way.count - 1]].position = nil
    for node in way { nodes[node].count -= 1 }
  }

  /// Removes the members at a path and inside it. Returns their positions.
  ///
  /// - Complexity: Linear in the length of the path and the number of removed
  ///   members and their steps.
  mutating func removeAll(in path: FieldPath) -> [Int] {
    let way = nodes(along: path)
    guard way.count == path.components.count + 1, let last = way.last else { return [] }
    let count = nodes[last].count
    for node in way { nodes[node].count -= count }
    var (positions, open) = ([Int](), [last])
    while let node = open.popLast() {
      positions += [nodes[node].position].compactMap { $0 }
      open += nodes[node].children.values
    }
    nodes[last] = Node()
    return positions
  }

  private func node(at path: FieldPath) -> Node? {
    let way = nodes(along: path)
    return way.count == path.components.count + 1 ? way.last.map { nodes[$0] } : nil
  }

  /// The nodes of the first steps of a path, from the root on.
  private func nodes(along path: FieldPath) -> [Int] {
    var way = [0]
    for component in path.components {
      guard let next = nodes[way[way.count - 1]].children[Step(component)] else { break }
      way.append(next)
    }
    return way
  }
}
