import Foundation
import MohoMapping

/// Records the fields of a model: values for the columns of its row, and nested
/// models for separate rows.
final class GraphRecorder: ErrorCollectingEncoder {
  private let row: GraphRow
  private let recording: GraphRecording
  private let path: FieldPath
  /// The nesting depth of the model, including the model itself.
  private let depth: Int
  let validatesModels: Bool
  /// Whether the fields belong to a partial model, in which nil removes a
  /// value.
  private let isPartial: Bool

  init(
    _ row: GraphRow, _ recording: GraphRecording, path: FieldPath, depth: Int = 1,
    validatesModels: Bool, isPartial: Bool = false
  ) {
    self.row = row
    self.recording = recording
    self.path = path
    self.depth = depth
    self.validatesModels = validatesModels
    self.isPartial = isPartial
  }

  func path(at index: Int) -> FieldPath? { path(to: index) }

  private func path(to index: Int) -> FieldPath {
    path.appending(.key(row.node.table.keys[index].name))
  }

  private func put(_ content: FieldContent, at index: Int) throws {
    switch row.node.keys[index] {
    case .unstored: break
    case .column(let attribute):
      row.contents[index] = try storable(content, at: index, recording) {
        attribute.map { row.node.entity.attributes[$0].type } == .uint64
      }
    case .link(let link): set([.key(try key(content, of: link, at: index, recording))], of: link)
    }
  }

  private func set(_ targets: [RowTarget], of link: NodeLink) {
    if link.storage == .column {
      row.toOneTargets[link.index] = targets.first ?? .nothing
    } else {
      row.members[link.index] = targets
    }
  }

  func encodeNull(at index: Int) throws {
    switch row.node.keys[index] {
    case .unstored: break
    case .column: row.contents[index] = .null
    case .link(let link):
      // In a whole model, nil is a collection that was not loaded.
      if link.isToMany && !isPartial { return }
      set([], of: link)
    }
  }

  func encode(_ value: Bool, at index: Int) throws { try put(.bool(value), at: index) }
  func encode(_ value: Int64, at index: Int) throws { try put(.int64(value), at: index) }
  func encode(_ value: UInt64, at index: Int) throws { try put(.uint64(value), at: index) }
  func encode(_ value: Double, at index: Int) throws { try put(.double(value), at: index) }
  func encode(_ value: Decimal, at index: Int) throws { try put(.decimal(value), at: index) }
  func encode(_ value: String, at index: Int) throws { try put(.string(value), at: index) }
  func encode(_ value: Data, at index: Int) throws { try put(.data(value), at: index) }
  func encode(_ value: Date, _ format: DateFormat, at index: Int) throws {
    try put(.date(value), at: index)
  }

  func encode<Value: Encodable>(codable value: Value, at index: Int) throws {
    try encode(codable: value, at: index, depth: depth)
  }

  func encodeObject(
    at index: Int, keys: FieldKeys, _ body: (any FieldEncoder) throws -> Void
  ) throws {
    guard case .link(let link) = row.node.keys[index] else {
      try row.node.table.keys[index].checkStructure("object")
      return try put(structuredTextAt: index) { try $0.encodeObject(at: 0, keys: keys, body) }
    }
    let path = path(to: index)
    set([.row(try nestedRow(of: link, at: path, index, depth, recording, body))], of: link)
  }

  func encodeArray(
    at index: Int, count: Int, _ body: (any FieldEncoder) throws -> Void
  ) throws {
    guard case .link(let link) = row.node.keys[index] else {
      try row.node.table.keys[index].checkStructure("array")
      return try put(structuredTextAt: index) { try $0.encodeArray(at: 0, count: count, body) }
    }
    if !link.isToMany {
      return try put(reference(at: path(to: index), count: count, body), at: index)
    }
    try locating(at: index) { try recording.destination.checkCount(count, of: link) }
    let list = GraphListRecorder(link, recording, path: path(to: index), depth: depth)
    try body(list)
    set(list.targets, of: link)
  }

  func encodeDictionary(
    at index: Int, names: [String], _ body: (any FieldEncoder) throws -> Void
  ) throws {
    try row.node.table.keys[index].checkStructure("dictionary")
    try put(structuredTextAt: index) { try $0.encodeDictionary(at: 0, names: names, body) }
  }

  private func put(
    structuredTextAt index: Int, _ body: (any FieldEncoder) throws -> Void
  ) throws {
    let text = try StructuredText.text(
      at: path(to: index), validating: true, depth: depth, body)
    try put(.string(text), at: index)
  }
}

/// Records the members of a to-many relation.
private final class GraphListRecorder: ErrorCollectingEncoder {
  private(set) var targets: [RowTarget] = []
  private var seenRows: Set<ObjectIdentifier> = []
  private var seenKeys: Set<UniqueKey> = []
  private let link: NodeLink
  private let recording: GraphRecording
  private let path: FieldPath
  /// The nesting depth of the model that owns the list, including that model.
  private let depth: Int

  init(_ link: NodeLink, _ recording: GraphRecording, path: FieldPath, depth: Int) {
    self.link = link
    self.recording = recording
    self.path = path
    self.depth = depth
  }

  var validatesModels: Bool { recording.validatesModels }

  func path(at index: Int) -> FieldPath? { path.appending(.index(index)) }

  /// A row is linked only once, at its first position.
  private func put(_ content: FieldContent, at index: Int) throws {
    let content = try key(content, of: link, at: index, recording)
    guard let key = UniqueKey(content), seenKeys.insert(key).inserted else { return }
    targets.append(.key(content))
  }

  func encodeObject(
    at index: Int, keys: FieldKeys, _ body: (any FieldEncoder) throws -> Void
  ) throws {
    let path = path.appending(.index(index))
    let row = try nestedRow(of: link, at: path, index, depth, recording, body)
    if seenRows.insert(ObjectIdentifier(row)).inserted { targets.append(.row(row)) }
  }

  func encodeArray(
    at index: Int, count: Int, _ body: (any FieldEncoder) throws -> Void
  ) throws {
    try put(reference(at: path.appending(.index(index)), count: count, body), at: index)
  }

  func encodeNull(at index: Int) throws {
    throw error(.unsupported, at: index, expected: "model or reference", found: "null")
  }

  func encode(_ value: Bool, at index: Int) throws { try put(.bool(value), at: index) }
  func encode(_ value: Int64, at index: Int) throws { try put(.int64(value), at: index) }
  func encode(_ value: UInt64, at index: Int) throws { try put(.uint64(value), at: index) }
  func encode(_ value: Double, at index: Int) throws { try put(.double(value), at: index) }
  func encode(_ value: Decimal, at index: Int) throws { try put(.decimal(value), at: index) }
  func encode(_ value: String, at index: Int) throws { try put(.string(value), at: index) }
  func encode(_ value: Data, at index: Int) throws { try put(.data(value), at: index) }
  func encode(_ value: Date, _ format: DateFormat, at index: Int) throws {
    try put(.date(value), at: index)
  }
}

/// Returns the key of a reference to a model with several identifying keys.
private func reference(
  at path: FieldPath, count: Int, _ body: (any FieldEncoder) throws -> Void
) throws -> FieldContent {
  let recorder = FieldRecorder(keys: nil, path: path)
  try recorder.encodeArray(at: 0, count: count, body)
  return recorder.contents.first ?? .null
}

extension FieldEncoder {
  /// Records a nested model.
  fileprivate func nestedRow(
    of link: NodeLink, at path: FieldPath, _ index: Int, _ depth: Int,
    _ recording: GraphRecording, _ body: (any FieldEncoder) throws -> Void
  ) throws -> GraphRow {
    try checkDepth(depth + 1, at: index)
    return try recording.record(link, at: path, depth: depth + 1, body)
  }

  /// Returns the key of a reference to a model in the form that databases store.
  fileprivate func key(
    _ content: FieldContent, of link: NodeLink, at index: Int, _ recording: GraphRecording
  ) throws -> FieldContent {
    try storable(content, at: index, recording) {
      recording.schema.entities[link.relationship.destination].hasUnsignedKey(recording.schema)
    }
  }

  /// Returns the form in which a column stores a content.
  ///
  /// - Parameter isUnsigned: Whether integers may be greater than `Int64.max`.
  /// - Throws: A `MappingError` with the path of the content.
  fileprivate func storable(
    _ content: FieldContent, at index: Int, _ recording: GraphRecording, isUnsigned: () -> Bool
  ) throws -> FieldContent {
    try locating(at: index) {
      try recording.destination.stored(content, isUnsigned: isUnsigned)
    }
  }

  /// Adds the path of a field to a `MappingError` that a closure throws.
  fileprivate func locating<Result>(at index: Int, _ body: () throws -> Result) throws -> Result {
    do {
      return try body()
    } catch let failure as MappingError {
      throw failure.locating(at: path(at: index))
    }
  }
}

extension CompiledEntity {
  /// Whether an unsigned integer is part of the identity of a row.
  fileprivate func hasUnsignedKey(_ schema: CompiledSchema) -> Bool {
    identifying.contains { column in
      switch column {
      case .attribute(let index): attributes[index].type == .uint64
      case .slot(let slot):
        schema.entities[linkColumns[slot].destination].hasUnsignedKey(schema)
      }
    }
  }
}
