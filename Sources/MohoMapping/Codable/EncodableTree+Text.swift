import Foundation

extension EncodableTree {
  /// The tree as structured text, with sorted members. Nil if it has a value that only its
  /// own conformance can write.
  ///
  /// The text is that of `JSONEncoder`, without signs of zeros.
  func text() throws(WritingStop) -> String? {
    var text = TextBuffer()
    guard try append(to: &text, level: 1) else { return nil }
    return text.string
  }

  /// Why a tree has no text: a value that JSON cannot represent, at a path.
  struct WritingStop: Error {
    var path: [FieldPath.Component] = []
    let value: String
  }

  // Recursive, as building and releasing the tree. `greatestLevel` limits it.
  private func append(to text: inout TextBuffer, level: Int) throws(WritingStop) -> Bool {
    switch self {
    case .null: text.append(literal: "null")
    case .bool(let value): text.append(literal: value ? "true" : "false")
    case .int64(let value): text.append(value)
    case .uint64(let value): text.append(value)
    case .double(let value):
      guard value.isFinite else { throw WritingStop(value: "\(value)") }
      text.append(stored: value)
    case .decimal(let value): text.append(raw: value.description)
    case .string(let value): text.append(string: value)
    case .array(let elements):
      text.append("[")
      for (index, element) in elements.enumerated() {
        if index > 0 { text.append(",") }
        do {
          guard try element.append(to: &text, level: level + 1) else { return false }
        } catch {
          throw error.inside(.index(index))
        }
      }
      text.append("]")
    case .object(let members):
      text.append("{")
      for (index, member) in members.sortedByName.enumerated() {
        if index > 0 { text.append(",") }
        text.append(string: member.name.stringValue)
        text.append(":")
        do {
          guard try member.value.append(to: &text, level: level + 1) else { return false }
        } catch {
          throw error.inside(.key(member.name.stringValue))
        }
      }
      text.append("}")
    case .codable(let value, _):
      guard let value = value as? JSONValue else { return false }
      return value.appendStored(to: &text, level: level)
    }
    return true
  }
}

extension EncodableTree.WritingStop {
  fileprivate func inside(_ component: FieldPath.Component) -> Self {
    var stop = self
    stop.path.insert(component, at: 0)
    return stop
  }
}

extension [EncodableTree.Member] {
  /// The members in the order of the bytes of their names.
  fileprivate var sortedByName: Self {
    func precedes(_ one: EncodableTree.Member, _ other: EncodableTree.Member) -> Bool {
      one.name.stringValue.utf8.lexicographicallyPrecedes(other.name.stringValue.utf8)
    }
    let isSorted = zip(self, dropFirst()).allSatisfy { !precedes($1, $0) }
    return isSorted ? self : sorted(by: precedes)
  }
}
