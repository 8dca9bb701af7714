/// An output tree in flat arrays: the container of each key's value, and what precedes
/// the value there.
package struct OutputPlan: Sendable {
  /// The slot of a value or container in its container.
  struct Slot: Sendable {
    /// The position in ``containers``; negative for the root, and for a key that is not
    /// part of documents.
    var container = -1
    /// The range in ``text`` of `,"key":`; empty in an array.
    var label = 0..<0
    /// The index in an array.
    var element = 0
  }

  /// An object or an array.
  struct Container: Sendable {
    let slot: Slot
    let isArray: Bool
    let depth: Int
  }

  private(set) var text: [UInt8] = []
  private(set) var containers: [Container] = []
  /// The slot of each key.
  private(set) var slots: [Slot]
  /// The keys in the order of writing.
  private(set) var order: [Int] = []
  var isInDeclarationOrder: Bool { zip(order, order.dropFirst()).allSatisfy { $0 < $1 } }
  /// The containers that are written even if they are empty, outermost first: the root
  /// and the envelope.
  private(set) var required: [Int] = []

  /// The path inside each element, of keys that collect.
  let collected: [Int: FieldPath]

  /// - Parameter keyCount: The number of keys of the mapping.
  package init(_ tree: OutputTree, keyCount: Int) {
    slots = Array(repeating: Slot(), count: keyCount)
    collected = tree.collected
    append(tree.root, at: Slot(), depth: 0, required: tree.requiredDepth)
  }

  private mutating func append(_ node: OutputTree.Node, at slot: Slot, depth: Int, required: Int) {
    let container = containers.count
    switch node {
    case .value(let key):
      slots[key] = slot
      order.append(key)
      return
    case .object(let members):
      containers.append(Container(slot: slot, isArray: false, depth: depth))
      if required > 0 { self.required.append(container) }
      for member in members {
        let label = label(member.key)
        append(
          member.node, at: Slot(container: container, label: label), depth: depth + 1,
          required: required - 1)
      }
    case .array(let elements):
      containers.append(Container(slot: slot, isArray: true, depth: depth))
      if required > 0 { self.required.append(container) }
      for element in elements {
        append(
          element.node, at: Slot(container: container, element: element.index), depth: depth + 1,
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
