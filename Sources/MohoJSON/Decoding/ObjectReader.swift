import Foundation
import MohoMapping

/// Reads the fields of one object of a document, or the parts of an array or a
/// dictionary, and is moved from value to value.
final class ObjectReader: FieldDecoder {
  let shape: ValueShape
  /// The keys, where the fields are those of an object; kept so that no others
  /// have their identity.
  let table: MappingKeys?
  let paths: PathTable
  private(set) var object: JSONNode
  private(set) var place: ElementPlace
  /// The members of a dictionary.
  private var members: [(name: String, node: JSONNode)] = []
  /// The reader of the value that this one is part of, and where.
  private(set) weak var parent: ObjectReader?
  private(set) var parentIndex = 0
  /// How many models lie in each other, this one counted.
  private(set) var depth = 1
  /// Readers of values inside, by their keys; kept to be moved again.
  var inner: [ObjectIdentifier?: ObjectReader] = [:]
  /// Readers of what is collected, by the positions of the paths.
  var collecting: [Int: ObjectReader] = [:]
  /// What was last looked for, and the position of the path where it was found:
  /// a key is commonly asked for absence, for null and for its value in turn.
  private var last: (index: Int, path: Int, finding: PathTable.Finding)?
  /// The text of the objects that the reader is moved to; nil of a part.
  private var source: SourceText?
  /// The way through the text of an array or a dictionary.
  private var cursor: PartCursor?
  /// Where the unknown members lie in the text, and a skipper in it.
  private var unknownPlaces: (places: PathStep, text: ValueSkipper)?

  /// The look for unknown keys; nil where they are ignored.
  let check: UnknownKeyCheck?
  /// What no key of the object is mapped to, once it was looked for.
  var unknown: UnknownLook?
  /// What keys claim, by the keys.
  var claims: [[ObjectIdentifier]: (tables: [MappingKeys], paths: ClaimedPaths)] = [:]

  /// - Parameter place: Where the objects lie, but for their index.
  init(_ keys: MappingKeys, paths: PathTable, place: ElementPlace, check: UnknownKeyCheck?) {
    shape = .object
    table = keys
    self.paths = paths
    self.object = .null
    self.place = place
    self.check = check
  }

  /// Makes a reader of values that are part of others.
  init(
    _ shape: ValueShape, _ keys: MappingKeys? = nil,
    _ paths: PathTable = PathTable([FieldPath?]()), check: UnknownKeyCheck?
  ) {
    self.shape = shape
    self.check = check
    table = keys
    self.paths = paths
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
    unknownPlaces = nil
    unknown = nil
  }

  /// Moves to a value at a key of another reader.
  ///
  /// - Parameter depth: How many models lie in each other there.
  func move(
    to object: JSONNode, members: [(String, JSONNode)], in parent: ObjectReader, at index: Int,
    depth: Int
  ) {
    self.depth = depth
    self.object = object
    self.members = members
    self.parent = parent
    parentIndex = index
    last = nil
    cursor = nil
    unknownPlaces = nil
    unknown = nil
  }

  /// The way to the object from the document's root.
  var path: FieldPath {
    parent.map { $0.path.appending($0.source(at: parentIndex)) } ?? place.path
  }

  var objectPath: FieldPath? { path }

  func source(at index: Int) -> FieldPath {
    let way = paths.ways.isEmpty ? nil : paths.ways[path(foundAt: index)]
    return switch shape {
    case .object: way ?? FieldPath([])
    case .array: FieldPath([.index(index)])
    case .collection: FieldPath([.index(index)]).appending(way ?? FieldPath([]))
    case .dictionary:
      FieldPath([.key(members.indices.contains(index) ? members[index].name : "")])
    case .unknown:
      FieldPath(stringLiteral: members.indices.contains(index) ? members[index].name : "")
    }
  }

  func isAbsent(at index: Int) -> Bool {
    if case .nothing = find(index) { !hasUnknown(at: index) } else { false }
  }

  func isNull(at index: Int) throws -> Bool {
    switch find(index) {
    case .nothing: !hasUnknown(at: index)
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
    return node.kind == .integer ? node.integer : try integer(node, at: index)
  }

  func uint64(at index: Int) throws -> UInt64 {
    let node = try node(at: index, expected: "integer")
    guard node.kind == .integer else { return try integer(node, at: index) }
    guard let integer = UInt64(exactly: node.integer) else {
      throw error(.invalidValue, at: index, expected: "non-negative integer")
    }
    return integer
  }

  func decimal(at index: Int) throws -> Decimal {
    let node = try node(at: index, expected: "number")
    switch node.kind {
    case .integer: return Decimal(node.integer)
    case .number:
      guard let decimal = number(node, at: index)?.decimal else {
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
      let others = shape == .object ? paths.alternatives(of: index) : []
      return FieldDescription(
        path: path.appending(source), found: nil,
        suggestion: ([source] + others).lazy.compactMap { path in
          self.object.similarKey(to: path, besides: self.paths.ways)
        }.first,
        alternatives: others.map { path.appending($0) })
    case .value(let node):
      return FieldDescription(path: path.appending(source), found: summary(of: node, at: index))
    case .obstacle(let node, let steps, _):
      let elementSteps = shape == .collection ? 1 : 0
      let passed = FieldPath(Array(source.components.prefix(elementSteps + steps)))
      return FieldDescription(path: path.appending(passed), found: node.summary)
    }
  }

  /// A skipper at the text of the value at an index, where there is text.
  func textPlace(at index: Int) -> ValueSkipper? {
    switch shape {
    case .unknown: return unknownPlace(at: index)
    case .object:
      guard var skipper = ownTextPlace, skipper.follow(source(at: index)) else { return nil }
      return skipper
    case .array, .dictionary, .collection:
      if cursor.map({ $0.index > index }) ?? true { cursor = ownTextPlace.map(PartCursor.init) }
      guard cursor?.move(to: index) == true, var skipper = cursor?.skipper else { return nil }
      guard shape == .collection, let way = paths.ways[0] else { return skipper }
      return skipper.follow(way) ? skipper : nil
    }
  }

  /// A skipper at an unknown member, which are all found in one look: objects
  /// have any number of them.
  private func unknownPlace(at index: Int) -> ValueSkipper? {
    if unknownPlaces == nil, let text = ownTextPlace {
      let places = PathStep()
      for member in members { places.insert(FieldPath(stringLiteral: member.name)) }
      var skipper = text
      places.find(with: &skipper)
      unknownPlaces = (places, text)
    }
    guard let (places, text) = unknownPlaces,
      let offset = places.offset(at: source(at: index).components[...])
    else { return nil }
    return ValueSkipper(bytes: text.bytes, position: offset)
  }

  private var ownTextPlace: ValueSkipper? {
    if let parent { return parent.textPlace(at: parentIndex) }
    guard var skipper = source?.place(of: place.index) else { return nil }
    guard let envelope = place.envelope else { return skipper }
    return skipper.follow(envelope) ? skipper : nil
  }

  private func find(_ index: Int) -> PathTable.Finding {
    if let last, last.index == index { return last.finding }
    var path = 0
    let finding: PathTable.Finding
    switch shape {
    case .object: (path, finding) = paths.find(key: index, from: object)
    case .array: finding = object.element(at: index).map { .value($0) } ?? .nothing
    case .collection:
      finding = object.element(at: index).map { paths.find(0, from: $0) } ?? .nothing
    case .dictionary, .unknown:
      finding = members.indices.contains(index) ? .value(members[index].node) : .nothing
    }
    last = (index, path, finding)
    return finding
  }

  /// The position of the path where the value at an index was found.
  func path(foundAt index: Int) -> Int {
    _ = find(index)
    return last?.path ?? 0
  }

  /// The value at an index, null too, if there is one.
  func anyNode(at index: Int) -> JSONNode? {
    if case .value(let node) = find(index) { node } else { nil }
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

  /// A number that the parser has as a double, as an integer.
  private func integer<Integer: FixedWidthInteger>(
    _ node: JSONNode, at index: Int
  ) throws -> Integer {
    guard node.kind == .number, let number = number(node, at: index), number.isWhole else {
      throw error(at: index, expected: "integer")
    }
    guard let integer: Integer = number.integer() else {
      let isBelow = !Integer.isSigned && number.isNegative
      throw error(
        .invalidValue, at: index,
        expected: isBelow ? "non-negative integer" : "integer of 64 bits")
    }
    return integer
  }

  /// What the text has for a number; without text, what the double has.
  private func number(_ node: JSONNode, at index: Int) -> NumberText? {
    NumberText(textPlace(at: index)?.numberText ?? node.number.description)
  }

  /// What a value looks like in a message, numbers as the text has them.
  private func summary(of node: JSONNode, at index: Int) -> String {
    guard node.kind == .number, let text = textPlace(at: index)?.numberText else {
      return node.summary
    }
    return "number \(text.prefix(80))\(text.count > 80 ? "…" : "")"
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
