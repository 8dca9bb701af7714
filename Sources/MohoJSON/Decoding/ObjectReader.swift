import Foundation
import MohoMapping

/// Reads the fields of one object of a document, or the parts of an array or a
/// dictionary, and is moved from value to value.
final class ObjectReader: FieldDecoder {
  let shape: ValueShape
  private let paths: PathTable
  private var object: JSONNode
  private(set) var place: ElementPlace
  /// The members of a dictionary.
  private var members: [(name: String, node: JSONNode)] = []
  /// The reader of the value that this one is part of, and where.
  private weak var parent: ObjectReader?
  private var parentIndex = 0
  /// Readers of values inside, by their keys; kept to be moved again.
  var inner: [ObjectIdentifier?: ObjectReader] = [:]
  /// What was last looked for: a key is commonly asked for absence, for null
  /// and for its value in turn.
  private var last: (index: Int, finding: PathTable.Finding)?
  /// The text of the objects that the reader is moved to; nil of a part.
  private var source: SourceText?
  /// The way through the text of an array or a dictionary.
  private var cursor: PartCursor?

  /// - Parameter place: Where the objects lie, but for their index.
  init(sources: [FieldPath?], paths: PathTable, place: ElementPlace) {
    shape = .object(sources)
    self.paths = paths
    self.object = .null
    self.place = place
  }

  /// Makes a reader of values that are part of others.
  init(_ shape: ValueShape) {
    self.shape = shape
    paths = if case .object(let sources) = shape { PathTable(sources) } else { PathTable([]) }
    object = .null
    place = ElementPlace()
  }

  /// Moves to the object of the element at an index, or of the root.
  func move(to object: JSONNode, index: Int?, in source: SourceText?) {
    self.object = object
    self.source = source
    place.index = index
    last = nil
    cursor = nil
  }

  /// Moves to a value at a key of another reader.
  func move(
    to object: JSONNode, members: [(String, JSONNode)], in parent: ObjectReader, at index: Int
  ) {
    self.object = object
    self.members = members
    self.parent = parent
    parentIndex = index
    last = nil
    cursor = nil
  }

  /// The way to the object from the document's root.
  private var path: FieldPath {
    parent.map { $0.path.appending($0.source(at: parentIndex)) } ?? place.path
  }

  private func source(at index: Int) -> FieldPath {
    switch shape {
    case .object(let sources): sources[index] ?? FieldPath([])
    case .array: FieldPath([.index(index)])
    case .dictionary:
      FieldPath([.key(members.indices.contains(index) ? members[index].name : "")])
    }
  }

  func isAbsent(at index: Int) -> Bool {
    if case .nothing = find(index) { true } else { false }
  }

  func isNull(at index: Int) throws -> Bool {
    switch find(index) {
    case .nothing: true
    case .value(let node): node.kind == .null
    case .obstacle: throw error(at: index, expected: "object")
    }
  }

  func bool(at index: Int) throws -> Bool {
    let node = try node(at: index, expected: "boolean")
    guard node.kind == .bool else { throw error(at: index, expected: "boolean") }
    return node.isTrue
  }

  func string(at index: Int) throws -> String {
    try text(at: index, expected: "string").string
  }

  func data(at index: Int) throws -> Data {
    let text = try text(at: index, expected: "Base64 text").string
    guard let data = Data(base64Encoded: text) else {
      throw error(.invalidValue, at: index, expected: "Base64 text")
    }
    return data
  }

  func date(at index: Int, _ format: DateFormat) throws -> Date {
    let node = try node(at: index, expected: format.expectation)
    let date: Date?
    switch node.kind {
    case .string where format.holdsText:
      date = format.date(utf8: node.utf8)
    case .integer where format.holdsNumbers, .number where format.holdsNumbers:
      date = format.date(node.number)
    default: throw error(at: index, expected: format.expectation)
    }
    guard let date else {
      throw error(.invalidValue, at: index, expected: format.expectation)
    }
    return date
  }

  func double(at index: Int) throws -> Double {
    try number(at: index, expected: "number")
  }

  func int64(at index: Int) throws -> Int64 {
    let node = try node(at: index, expected: "integer")
    if node.kind == .integer { return node.integer }
    guard node.kind == .number, let integer = node.exactInteger else {
      throw error(at: index, expected: "integer")
    }
    return integer
  }

  func uint64(at index: Int) throws -> UInt64 {
    guard let integer = UInt64(exactly: try int64(at: index)) else {
      throw error(.invalidValue, at: index, expected: "non-negative integer")
    }
    return integer
  }

  func decimal(at index: Int) throws -> Decimal {
    let node = try node(at: index, expected: "number")
    switch node.kind {
    case .integer: return Decimal(node.integer)
    case .number:
      guard let decimal = textPlace(at: index).map(\.decimal) ?? node.shortestDecimal else {
        throw error(.invalidValue, at: index, expected: "decimal number")
      }
      return decimal
    default: throw error(at: index, expected: "number")
    }
  }

  func field(at index: Int) -> FieldDescription {
    let source = source(at: index)
    switch find(index) {
    case .nothing:
      return FieldDescription(
        path: path.appending(source), found: nil, suggestion: object.similarKey(to: source))
    case .value(let node):
      return FieldDescription(path: path.appending(source), found: node.summary)
    case .obstacle(let node, let steps, _):
      let passed = FieldPath(Array(source.components.prefix(steps)))
      return FieldDescription(path: path.appending(passed), found: node.summary)
    }
  }

  /// A skipper at the text of the value at an index, where there is text.
  private func textPlace(at index: Int) -> ValueSkipper? {
    switch shape {
    case .object(let sources):
      guard var skipper = ownTextPlace, let path = sources[index], skipper.follow(path) else {
        return nil
      }
      return skipper
    case .array, .dictionary:
      if cursor.map({ $0.index > index }) ?? true { cursor = ownTextPlace.map(PartCursor.init) }
      return cursor?.move(to: index) == true ? cursor?.skipper : nil
    }
  }

  private var ownTextPlace: ValueSkipper? {
    if let parent { return parent.textPlace(at: parentIndex) }
    guard var skipper = source?.place(of: place.index) else { return nil }
    guard let envelope = place.envelope else { return skipper }
    return skipper.follow(envelope) ? skipper : nil
  }

  private func find(_ index: Int) -> PathTable.Finding {
    if let last, last.index == index { return last.finding }
    let finding: PathTable.Finding =
      switch shape {
      case .object: paths.find(index, from: object)
      case .array: object.element(at: index).map { .value($0) } ?? .nothing
      case .dictionary:
        members.indices.contains(index) ? .value(members[index].node) : .nothing
      }
    last = (index, finding)
    return finding
  }

  func node(at index: Int, expected: String) throws -> JSONNode {
    guard case .value(let node) = find(index), node.kind != .null else {
      throw error(at: index, expected: expected)
    }
    return node
  }

  private func text(at index: Int, expected: String) throws -> JSONNode {
    let node = try node(at: index, expected: expected)
    guard node.kind == .string else { throw error(at: index, expected: expected) }
    return node
  }

  private func number(at index: Int, expected: String) throws -> Double {
    let node = try node(at: index, expected: expected)
    guard node.kind == .integer || node.kind == .number else {
      throw error(at: index, expected: expected)
    }
    return node.number
  }

  /// The error about what was found where another value was expected.
  func error(at index: Int, expected: String) -> MappingError {
    switch find(index) {
    case .nothing:
      error(.missingValue, at: index, expected: expected)
    case .value(let node):
      error(node.kind == .null ? .unexpectedNull : .invalidType, at: index, expected: expected)
    case .obstacle(_, _, let container):
      error(.invalidType, at: index, expected: container.description)
    }
  }
}

extension ValueSkipper {
  /// The decimal number that the text at the position spells, exactly, or nil
  /// where there is none.
  fileprivate var decimal: Decimal? {
    var skipper = self
    return NumberText(skipper.numberText())?.decimal
  }
}

extension JSONNode {
  /// The number as an integer where it is exactly one, such as `1e2`, and
  /// doubles still tell it from its neighbors.
  fileprivate var exactInteger: Int64? {
    let limit = 9_007_199_254_740_992.0
    return abs(number) <= limit ? Int64(exactly: number) : nil
  }

  /// The decimal number that the double's shortest text spells, or nil where
  /// decimals have no such number.
  fileprivate var shortestDecimal: Decimal? { Decimal(string: number.description) }
}
