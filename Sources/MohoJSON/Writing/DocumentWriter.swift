import MohoMapping

/// Puts the fields of objects together to a document.
struct DocumentWriter {
  let tree: OutputTree
  let formatting: JSONFormatting
  private(set) var text = TextBuffer()

  init(tree: OutputTree, formatting: JSONFormatting) {
    self.tree = tree
    self.formatting = formatting
  }

  /// Writes an array of as many elements, each written by a function.
  mutating func appendArray(
    count: Int, element: (Int, inout DocumentWriter) throws -> Void
  ) rethrows {
    text.append("[")
    for index in 0..<count {
      if index > 0 { text.append(",") }
      breakLine(1)
      try element(index, &self)
    }
    if count > 0 { breakLine(0) }
    text.append("]")
  }

  /// Writes an object of the fields that a writer took.
  mutating func append(_ fields: ObjectWriter, depth: Int) {
    _ = append(tree.root, of: fields, depth: depth, required: tree.requiredDepth)
  }

  /// Writes a part of the tree, if there is anything to write.
  ///
  /// - Parameter required: How many levels are written even when they hold
  ///   nothing.
  private mutating func append(
    _ node: OutputTree.Node, of fields: ObjectWriter, depth: Int, required: Int
  ) -> Bool {
    switch node {
    case .value(let index):
      guard let range = fields.fields[index] else { return false }
      text.append(raw: fields.text.bytes[range])
      return true
    case .object(let members):
      return append(members, of: fields, depth: depth, required: required)
    case .array(let elements):
      return append(elements, of: fields, depth: depth, required: required)
    }
  }

  private mutating func append(
    _ members: [OutputTree.Member], of fields: ObjectWriter, depth: Int, required: Int
  ) -> Bool {
    let start = text.count
    var isEmpty = true
    text.append("{")
    for member in members {
      let mark = text.count
      if !isEmpty { text.append(",") }
      breakLine(depth + 1)
      text.append(raw: member.text)
      text.append(":")
      if formatting == .pretty { text.append(" ") }
      if append(member.node, of: fields, depth: depth + 1, required: required - 1) {
        isEmpty = false
      } else {
        text.truncate(to: mark)
      }
    }
    return close("}", isEmpty: isEmpty, start: start, depth: depth, required: required)
  }

  private mutating func append(
    _ elements: [OutputTree.Element], of fields: ObjectWriter, depth: Int, required: Int
  ) -> Bool {
    let start = text.count
    var next = 0
    text.append("[")
    for element in elements {
      let mark = text.count
      for index in next...element.index {
        if index > 0 { text.append(",") }
        breakLine(depth + 1)
        if index < element.index { text.append(literal: "null") }
      }
      if append(element.node, of: fields, depth: depth + 1, required: required - 1) {
        next = element.index + 1
      } else {
        text.truncate(to: mark)
      }
    }
    return close("]", isEmpty: next == 0, start: start, depth: depth, required: required)
  }

  private mutating func close(
    _ bracket: Unicode.Scalar, isEmpty: Bool, start: Int, depth: Int, required: Int
  ) -> Bool {
    if isEmpty, required <= 0 {
      text.truncate(to: start)
      return false
    }
    if !isEmpty { breakLine(depth) }
    text.append(bracket)
    return true
  }

  private mutating func breakLine(_ depth: Int) {
    guard formatting == .pretty else { return }
    text.append("\n")
    for _ in 0..<depth { text.append(literal: "  ") }
  }
}
