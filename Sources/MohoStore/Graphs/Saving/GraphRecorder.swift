import Foundation
import MohoMapping

/// Takes the fields of a model apart: values for the columns of its row, models
/// for rows of their own.
final class GraphRecorder: FieldEncoder {
  private let row: GraphRow
  private let context: GraphContext
  private let path: FieldPath
  /// Whether the fields are those of a partial model, whose nil clears.
  private let isPartial: Bool

  init(
    _ row: GraphRow, _ context: GraphContext, path: FieldPath = FieldPath([]),
    isPartial: Bool = false
  ) {
    self.row = row
    self.context = context
    self.path = path
    self.isPartial = isPartial
  }

  var validatesModels: Bool { context.validatesModels }

  func path(at index: Int) -> FieldPath? { path(to: index) }

  private func path(to index: Int) -> FieldPath {
    path.appending(.key(row.node.table.keys[index].name))
  }

  private func put(_ content: FieldContent, at index: Int) throws {
    switch row.node.keys[index] {
    case .unstored: break
    case .column: row.contents[index] = try storable(content, at: index)
    case .link(let link):
      set([.key(try storable(content, at: index))], of: link)
    }
  }

  private func set(_ targets: [RowTarget], of link: NodeLink) {
    if link.link == .column {
      row.ones[link.index] = targets.first ?? .nothing
    } else {
      row.members[link.index] = targets
    }
  }

  func encodeNull(at index: Int) throws {
    switch row.node.keys[index] {
    case .unstored: break
    case .column: row.contents[index] = .null
    case .link(let link):
      // Nil of a whole model is a collection that was not loaded.
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

  func encodeObject(
    at index: Int, keys: MappingKeys, _ body: (any FieldEncoder) throws -> Void
  ) throws {
    guard case .link(let link) = row.node.keys[index] else {
      try row.node.table.keys[index].checkStructure("object")
      let text = try StructuredText.object(
        keys, at: path(to: index), validating: true, body)
      return try put(.string(text), at: index)
    }
    let path = path(to: index)
    set([.row(try context.record(link, at: path, body))], of: link)
  }

  func encodeArray(
    at index: Int, count: Int, _ body: (any FieldEncoder) throws -> Void
  ) throws {
    guard case .link(let link) = row.node.keys[index] else {
      try row.node.table.keys[index].checkStructure("array")
      let text = try StructuredText.array(
        at: path(to: index), validating: true, body)
      return try put(.string(text), at: index)
    }
    if case .replace = link.relation.linkPolicy, let range = link.relation.count,
      !range.contains(count)
    {
      throw error(
        .invalidValue, at: index,
        expected: "\(range.lowerBound) to \(range.upperBound) models", found: "\(count)")
    }
    let list = GraphListRecorder(link, context, path: path(to: index))
    try body(list)
    set(list.targets, of: link)
  }

  func encodeDictionary(
    at index: Int, names: [String], _ body: (any FieldEncoder) throws -> Void
  ) throws {
    try row.node.table.keys[index].checkStructure("dictionary")
    let text = try StructuredText.dictionary(
      names, at: path(to: index), validating: true, body)
    try put(.string(text), at: index)
  }
}

/// Takes the members of a relation to many.
private final class GraphListRecorder: FieldEncoder {
  private(set) var targets: [RowTarget] = []
  private var seenRows: Set<ObjectIdentifier> = []
  private var seenKeys: Set<ModelIdentity> = []
  private let link: NodeLink
  private let context: GraphContext
  private let path: FieldPath

  init(_ link: NodeLink, _ context: GraphContext, path: FieldPath) {
    self.link = link
    self.context = context
    self.path = path
  }

  var validatesModels: Bool { context.validatesModels }

  func path(at index: Int) -> FieldPath? { path.appending(.index(index)) }

  /// A row is linked once, at its first place.
  private func put(_ content: FieldContent, at index: Int) throws {
    let content = try storable(content, at: index)
    guard let key = ModelIdentity(content), seenKeys.insert(key).inserted else { return }
    targets.append(.key(content))
  }

  func encodeObject(
    at index: Int, keys: MappingKeys, _ body: (any FieldEncoder) throws -> Void
  ) throws {
    let row = try context.record(link, at: path.appending(.index(index)), body)
    if seenRows.insert(ObjectIdentifier(row)).inserted { targets.append(.row(row)) }
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

extension FieldEncoder {
  /// A content that a column can hold.
  ///
  /// - Throws: `MappingError` with the way to it.
  fileprivate func storable(_ content: FieldContent, at index: Int) throws -> FieldContent {
    switch content {
    case .uint64(let value):
      guard let integer = Int64(exactly: value) else {
        throw error(
          .invalidValue, at: index, expected: "integer up to \(Int64.max)",
          found: "integer \(value)")
      }
      return .int64(integer)
    // SQLite would store null.
    case .double(let value) where value.isNaN:
      throw error(.invalidValue, at: index, expected: "number", found: "not a number")
    case .date(let value) where value.timeIntervalSinceReferenceDate.isNaN:
      throw error(.invalidValue, at: index, expected: "date", found: "not a number")
    case .decimal(let value) where value.isNaN:
      throw error(.invalidValue, at: index, expected: "decimal number", found: "not a number")
    default: return content
    }
  }
}

/// What taking models apart needs and fills.
final class GraphContext {
  let nodes: ModelNodes
  let batch = GraphBatch()
  /// Whether models must be valid as they are: not those that are merged later.
  let validatesModels: Bool
  private let merging: StoredMerging?

  init(_ nodes: ModelNodes, merging: StoredMerging?, validatesModels: Bool = true) {
    self.nodes = nodes
    self.merging = merging
    self.validatesModels = validatesModels
  }

  /// Records a nested model. What it says of the way back is not heard.
  func record(
    _ link: NodeLink, at path: FieldPath,
    _ body: (any FieldEncoder) throws -> Void
  ) throws -> GraphRow {
    let row = GraphRow(try nodes.node(of: link.target))
    let recorder = GraphRecorder(row, self, path: path)
    if let merging, row.node.hasMerges {
      try merging.merge(row.node, at: path, body, to: recorder)
    } else {
      try body(recorder)
    }
    if let back = row.node.links.first(where: { $0.name == link.inverse }) {
      row.members[back.index] = nil
    }
    return batch.add(row)
  }

  /// Records a model that is nested in none.
  func record<Model: MappedModel>(_ model: Model, at path: FieldPath) throws -> GraphRow {
    let row = GraphRow(try nodes.node(of: Model.self))
    let model = row.node.hasMerges ? try merging?.merge(model) ?? model : model
    try Model.mapping.encode(model, to: GraphRecorder(row, self, path: path))
    return batch.add(row)
  }
}
