import MohoMapping

/// An output tree made flat: for each key of a mapping, the container that its
/// value goes to and what stands before the value there.
struct OutputPlan: Sendable {
  /// Where a value or a container stands in its container.
  struct Place: Sendable {
    /// The position of the container in ``containers``; negative for a key that
    /// documents do not hold, and for the root.
    var container = -1
    /// The bytes of ``text`` that spell `,"key":`; empty in an array.
    var label = 0..<0
    /// The index in an array.
    var element = 0
  }

  /// An object or an array.
  struct Container: Sendable {
    let place: Place
    let isArray: Bool
    let depth: Int
  }

  private(set) var text: [UInt8] = []
  private(set) var containers: [Container] = []
  /// The place of each key of the mapping.
  private(set) var places: [Place]
  /// The keys in the order of writing.
  private(set) var order: [Int] = []
  /// Whether the order of writing is that of the declaration.
  var isInDeclarationOrder: Bool { zip(order, order.dropFirst()).allSatisfy { $0 < $1 } }
  /// The containers that are written even when they hold nothing, each inside
  /// the one before: the root and the envelope.
  private(set) var required: [Int] = []

  /// What the keys that collect lead to inside each element.
  let collected: [Int: FieldPath]

  /// - Parameter keyCount: The number of keys of the mapping.
  init(_ tree: OutputTree, keyCount: Int) {
    places = Array(repeating: Place(), count: keyCount)
    collected = tree.collected
    append(tree.root, at: Place(), depth: 0, required: tree.requiredDepth)
  }

  private mutating func append(_ node: OutputTree.Node, at place: Place, depth: Int, required: Int)
  {
    let container = containers.count
    switch node {
    case .value(let key):
      places[key] = place
      order.append(key)
      return
    case .object(let members):
      containers.append(Container(place: place, isArray: false, depth: depth))
      if required > 0 { self.required.append(container) }
      for member in members {
        let label = label(member.key)
        append(
          member.node, at: Place(container: container, label: label), depth: depth + 1,
          required: required - 1)
      }
    case .array(let elements):
      containers.append(Container(place: place, isArray: true, depth: depth))
      if required > 0 { self.required.append(container) }
      for element in elements {
        append(
          element.node, at: Place(container: container, element: element.index), depth: depth + 1,
          required: required - 1)
      }
    }
  }

  private mutating func label(_ key: String) -> Range<Int> {
    var label = TextBuffer()
    label.append(",")
    label.append(string: key)
    label.append(":")
    let start = text.count
    text += label.bytes
    return start..<text.count
  }
}
