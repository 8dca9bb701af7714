/// Writes a `JSONValue` at a depth of a document.
// Not recursive: a value may have any number of levels.
struct ValueWriter: ~Copyable {
  var text = TextBuffer()
  private let isPretty: Bool
  private let isSorted: Bool
  private let depth: Int
  /// Whether values without JSON text are written, for descriptions.
  private let isLenient: Bool
  /// Whether equal numbers are written alike.
  private let isStored: Bool
  private var open: [OpenContainer] = []

  /// An array or object, and the number of parts that were begun.
  private struct OpenContainer {
    let parts: Parts
    var count = 0

    enum Parts {
      case elements(JSONValue.Elements)
      case members(JSONValue.Members)
    }

    /// The path component of the current part.
    var step: FieldPath.Component {
      switch parts {
      case .elements: .index(count - 1)
      case .members(let members): .key(members[count - 1].key)
      }
    }
  }

  init(formatting: JSONFormatting, depth: Int, isLenient: Bool = false, isStored: Bool = false) {
    isPretty = formatting.contains(.pretty)
    isSorted = formatting.contains(.sorted)
    self.depth = depth
    self.isLenient = isLenient
    self.isStored = isStored
  }

  /// - Throws: `MappingError` with the path of a value that JSON cannot represent.
  mutating func append(_ value: JSONValue) throws {
    try begin(value)
    while let last = open.indices.last {
      // The parts are retained once up to the next array or object in them.
      switch open[last].parts {
      case .elements(let elements): try append(elements, last)
      case .members(let members): try append(members, last)
      }
      if open.indices.last == last { close() }
    }
  }

  /// Writes the rest of an array, up to the next array or object.
  private mutating func append(_ elements: JSONValue.Elements, _ container: Int) throws {
    for index in open[container].count..<elements.count {
      separate(index)
      open[container].count = index + 1
      try begin(elements[index])
      if open.count > container + 1 { return }
    }
  }

  /// Writes the rest of an object, up to the next array or object.
  private mutating func append(_ members: JSONValue.Members, _ container: Int) throws {
    for index in open[container].count..<members.count {
      separate(index)
      open[container].count = index + 1
      text.append(string: members[index].key)
      text.append(":")
      if isPretty { text.append(" ") }
      try begin(members[index].value)
      if open.count > container + 1 { return }
    }
  }

  /// Writes what precedes a part of the innermost array or object.
  private mutating func separate(_ index: Int) {
    if index > 0 { text.append(",") }
    breakLine(depth: open.count)
  }

  /// Writes a scalar, or opens an array or object.
  private mutating func begin(_ value: JSONValue) throws {
    guard isLenient || depth + open.count < JSONCursor.greatestDepth else {
      throw MappingError(
        .tooDeep, path: path, found: value.kind.description,
        expected: "at most \(JSONCursor.greatestDepth) levels")
    }
    switch isStored ? value.withStoredNumber : value {
    case .null: text.append(literal: "null")
    case .bool(let value): text.append(literal: value ? "true" : "false")
    case .integer(let value): text.append(value)
    case .exact(let number): text.append(raw: number.text)
    case .string(let value): text.append(string: value)
    case .number(let value):
      guard value.isFinite || isLenient else {
        throw MappingError(
          .invalidValue, path: path, found: "number \(value)", expected: "finite number")
      }
      value.isFinite ? text.append(fractional: value) : text.append(raw: "\(value)")
    case .array(let elements):
      if appended(elements.text) { return }
      text.append("[")
      open.append(OpenContainer(parts: .elements(elements)))
    case .object(var members):
      if appended(members.text) { return }
      if !isLenient, let name = members.duplicateName {
        throw MappingError(
          .invalidValue, path: path, found: "two members \(quoted(name))",
          expected: "distinct names")
      }
      if isSorted { members.sortByName() }
      text.append("{")
      open.append(OpenContainer(parts: .members(members)))
    }
  }

  /// Writes the text of an array or object if it is the one to be written.
  private mutating func appended(_ compact: CompactJSON?) -> Bool {
    guard let compact, !isPretty, !isSorted || compact.memberOrder == .kept,
      !isStored || compact.hasStoredNumbers,
      isLenient || depth + open.count + compact.levels <= JSONCursor.greatestDepth
    else { return false }
    text.append(compact.utf8, compact.utf8.indices)
    return true
  }

  private mutating func close() {
    let container = open.removeLast()
    if container.count > 0 { breakLine(depth: open.count) }
    switch container.parts {
    case .elements: text.append("]")
    case .members: text.append("}")
    }
  }

  private var path: FieldPath { FieldPath(open.map(\.step)) }

  private mutating func breakLine(depth: Int) {
    guard isPretty else { return }
    text.append("\n")
    for _ in 0..<(self.depth + depth) { text.append(literal: "  ") }
  }
}
