import Foundation
import MohoMapping

/// Decodes the fields of one object of a tree, or the parts of an array or dictionary,
/// and describes each error. It is moved from value to value.
final class TreeFieldDecoder: FieldDecoder {
  let shape: ValueShape
  /// The keys of an object, retained so that their identity stays unique.
  let table: FieldKeys?
  let paths: PathTable
  /// The current object, array or dictionary.
  private(set) var object: JSONNode
  private(set) var location: ElementLocation
  /// The members of a dictionary.
  private var members: [(name: String, node: JSONNode)] = []
  /// The decoder of the containing value, and the index of this value in it.
  private(set) weak var parent: TreeFieldDecoder?
  private(set) var parentIndex = 0
  /// The nesting level of the model or its parts, from 1.
  private(set) var depth = 1
  /// Decoders of nested values, by the identity of their keys.
  var inner: [ObjectIdentifier?: TreeFieldDecoder] = [:]
  /// Decoders of collected values, by the positions of their paths.
  var collecting: [Int: TreeFieldDecoder] = [:]
  /// The last lookup, and the position of the path that found the value. A mapping often
  /// asks for a key's absence, null and value in turn.
  private var last: (index: Int, path: Int, finding: PathTable.Finding)?
  /// Nil if unknown keys are ignored.
  let check: UnknownKeyCheck?
  /// The values of store-only keys.
  let supplied: SuppliedValues
  /// The unknown members of the object, once they were searched for.
  var unknown: UnknownSearch?
  /// Whether keys that receive unknown members are absent.
  var isHidingUnknown = false
  /// The paths that keys claim, by the identities of the keys.
  var claims: [[ObjectIdentifier]: ObjectClaims] = [:]

  /// - Parameter location: The location of the objects, without an index.
  init(
    _ keys: FieldKeys, paths: PathTable, location: ElementLocation, check: UnknownKeyCheck?,
    supplied: SuppliedValues
  ) {
    shape = .object
    table = keys
    self.paths = paths
    self.object = .null
    self.location = location
    self.check = check
    self.supplied = supplied
  }

  /// Creates a decoder of the models of an adapter.
  ///
  /// - Parameter array: The path of the array of the objects.
  convenience init<Model>(_ adapter: JSONAdapter<Model>, array: FieldPath = FieldPath([])) {
    self.init(
      adapter.mapping.fieldKeys, paths: adapter.paths,
      location: ElementLocation(array: array, envelope: adapter.envelope),
      check: UnknownKeyCheck(adapter.unknownKeyPolicy), supplied: adapter.supplied)
  }

  /// Creates a decoder of values in the values of another decoder.
  init(
    _ shape: ValueShape, _ keys: FieldKeys? = nil,
    _ paths: PathTable = PathTable([FieldPath?]()), in outer: TreeFieldDecoder
  ) {
    self.shape = shape
    check = outer.check
    supplied = outer.supplied
    table = keys
    self.paths = paths
    object = .null
    location = ElementLocation()
  }

  /// Moves to the object of an element, or of the root.
  func move(to object: JSONNode, index: Int?) {
    self.object = object
    location.index = index
    last = nil
    unknown = nil
  }

  /// Moves to the object of an element, or of the root, which may be in an envelope.
  ///
  /// - Throws: `MappingError` with the path of the element if there is no object.
  func move(toElement element: JSONNode, index: Int?) throws {
    move(to: element, index: index)
    let envelope = location.envelope ?? FieldPath([])
    var object: JSONNode? = element
    for component in envelope.components { object = object?.step(to: component) }
    if object?.kind != .object {
      object = try element.value(
        at: envelope, kind: .object, from: location.element, model: table?.model ?? "")
    }
    if let object { self.object = object }
  }

  /// Moves to a value of another decoder.
  ///
  /// - Parameter depth: The nesting level of the model.
  func move(
    to object: JSONNode, members: [(String, JSONNode)], in parent: TreeFieldDecoder, at index: Int,
    depth: Int
  ) {
    self.depth = depth
    self.object = object
    self.members = members
    self.parent = parent
    parentIndex = index
    last = nil
    unknown = nil
  }

  /// The path of the object from the root.
  var path: FieldPath {
    parent.map { $0.path.appending($0.source(at: parentIndex)) } ?? location.path
  }

  var objectPath: FieldPath? { path }
  var suppliedValues: SuppliedValues? { supplied }

  func source(at index: Int) -> FieldPath {
    let lead = paths.leads.isEmpty ? nil : paths.leads[path(foundAt: index)]
    return switch shape {
    case .object: lead ?? FieldPath([])
    case .array: FieldPath([.index(index)])
    case .collection: FieldPath([.index(index)]).appending(lead ?? FieldPath([]))
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
      var text = node.string
      date = text.withUTF8 { format.date(utf8: $0) }
    case .integer where format.holdsNumbers, .number where format.holdsNumbers:
      date = format.date(node.double)
    default: throw error(at: index, expected: format.expectation)
    }
    guard let date else {
      throw error(.invalidValue, at: index, expected: format.expectation(for: node.string))
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
      guard let decimal = node.numberText?.decimal else {
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
          self.object.similarKey(to: path, besides: self.paths.leads)
        }.first,
        alternatives: others.map { path.appending($0) })
    case .value(let node):
      return FieldDescription(path: path.appending(source), found: node.summary)
    case .obstacle(let node, let steps, _):
      let elementSteps = shape == .collection ? 1 : 0
      let passed = FieldPath(Array(source.components.prefix(elementSteps + steps)))
      return FieldDescription(path: path.appending(passed), found: node.summary)
    }
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

  /// The position of the path that finds the value at an index.
  func path(foundAt index: Int) -> Int {
    _ = find(index)
    return last?.path ?? 0
  }

  /// The value at an index, which can be null.
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

  /// The integer that the text of a `double` node spells.
  private func integer<Integer: FixedWidthInteger>(
    _ node: JSONNode, at index: Int
  ) throws -> Integer {
    guard node.kind == .number, let number = node.numberText, number.isWhole else {
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

  private func number(at index: Int, expected: String) throws -> Double {
    let node = try node(at: index, expected: expected)
    guard node.kind == .integer || node.kind == .number else {
      throw error(at: index, expected: expected)
    }
    return node.double
  }

  /// The error about a value that is not of the expected type.
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
