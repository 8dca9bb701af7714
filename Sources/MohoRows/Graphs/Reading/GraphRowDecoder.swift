import Foundation
import MohoMapping

/// The state of reading one model with its related models.
final class GraphReading {
  /// The error for a row that contains itself.
  var cycle: StoreError?
  let texts: StructuredTextReader

  init(_ texts: StructuredTextReader) { self.texts = texts }
}

/// Reads the fields of a row and of its related rows, or the members of a
/// to-many relation.
final class GraphRowDecoder: NestedRowDecoder {
  private enum Source {
    case row(StoredRow)
    case members([RelatedItem])
  }

  private let source: Source
  private let reading: GraphReading
  /// The decoder of the row that contains this one, and the path component that
  /// leads from there.
  private let parent: GraphRowDecoder?
  private let step: FieldPath.Component?
  /// The number of rows that contain this one.
  private let depth: Int

  init(_ row: StoredRow, _ reading: GraphReading) {
    source = .row(row)
    self.reading = reading
    parent = nil
    step = nil
    depth = 0
  }

  private init(
    _ source: Source, of parent: GraphRowDecoder, at step: FieldPath.Component, depth: Int
  ) {
    self.source = source
    reading = parent.reading
    self.parent = parent
    self.step = step
    self.depth = depth
  }

  private var row: StoredRow? {
    if case .row(let row) = source { row } else { nil }
  }

  var rowName: String? {
    guard let row else { return parent?.rowName }
    return row.identity.integer.map { "\(RowIdentity(entity: row.node.name, stored: $0))" }
  }

  /// The value at an index.
  private enum Item {
    case value(StoredValue)
    case row(StoredRow)
    case members([RelatedItem])

    init(_ item: RelatedItem) {
      switch item {
      case .row(let row): self = .row(row)
      case .key(let key): self = .value(key)
      case .keys(let keys): self = .members(keys)
      }
    }
  }

  private func item(at index: Int) -> Item {
    switch source {
    case .members(let items):
      return items.indices.contains(index) ? Item(items[index]) : .value(.null)
    case .row(let row):
      switch row.node.keys[index] {
      case .unstored: return .value(.null)
      case .column: return .value(row.values[index])
      case .link(let link):
        let related = row.related[index] ?? []
        if link.isToMany { return .members(related) }
        return related.first.map { Item($0) } ?? .value(.null)
      }
    }
  }

  private func value(at index: Int) -> StoredValue? {
    if case .value(let value) = item(at: index) { value } else { nil }
  }

  private func mismatch(at index: Int, _ expected: String) -> MappingError {
    let code: MappingError.Code =
      isAbsent(at: index)
      ? .missingValue : value(at: index) == .null ? .unexpectedNull : .invalidType
    return error(code, at: index, expected: expected)
  }

  /// Only keys that are not stored or were not read are absent.
  func isAbsent(at index: Int) -> Bool { row?.lacks(index) ?? false }

  func isNull(at index: Int) -> Bool { value(at: index) == .null }

  func bool(at index: Int) throws -> Bool {
    switch try int64(at: index) {
    case 0: false
    case 1: true
    default: throw error(.invalidValue, at: index, expected: "0 or 1")
    }
  }

  func int64(at index: Int) throws -> Int64 {
    guard case .integer(let value) = value(at: index) else { throw mismatch(at: index, "integer") }
    return value
  }

  func uint64(at index: Int) throws -> UInt64 {
    if case .unsigned(let value) = value(at: index) { return value }
    guard let value = UInt64(exactly: try int64(at: index)) else {
      throw error(.invalidValue, at: index, expected: "integer from 0")
    }
    return value
  }

  func double(at index: Int) throws -> Double {
    guard case .number(let value) = value(at: index) else { throw mismatch(at: index, "number") }
    return value
  }

  func decimal(at index: Int) throws -> Decimal {
    guard let decimal = DecimalText.decimal(try string(at: index)) else {
      throw error(.invalidValue, at: index, expected: "decimal number")
    }
    return decimal
  }

  func string(at index: Int) throws -> String {
    switch value(at: index) {
    case .text(let value): return value
    case .invalidText: throw error(.invalidValue, at: index, expected: "UTF-8 text")
    default: throw mismatch(at: index, "string")
    }
  }

  func data(at index: Int) throws -> Data {
    guard case .blob(let value) = value(at: index) else { throw mismatch(at: index, "bytes") }
    return value
  }

  func date(at index: Int, _ format: DateFormat) throws -> Date {
    guard case .number(let value) = value(at: index) else { throw mismatch(at: index, "date") }
    return Date(timeIntervalSinceReferenceDate: value)
  }

  func object(at index: Int, keys: FieldKeys) throws -> any FieldDecoder {
    switch item(at: index) {
    case .value:
      let object = try withText(at: index, "object") {
        reading.texts.object(
          $0, keys: keys, isDivided: row?.node.table.divides(keys, at: index) == true,
          depth: depth + 1)
      }
      return try object ?? structured(at: index, "object").object(at: 0, keys: keys)
    case .members: throw mismatch(at: index, "object")
    case .row(let row):
      if depth + 1 >= NestingDepth.limit || isInside(row) {
        let cycle = cycle(to: row)
        reading.cycle = reading.cycle ?? cycle
        throw cycle
      }
      return GraphRowDecoder(.row(row), of: self, at: step(to: index), depth: depth + 1)
    }
  }

  func array(at index: Int) throws -> FieldElements {
    switch item(at: index) {
    case .value:
      let array = try withText(at: index, "array") {
        reading.texts.array($0, at: index, depth: depth + 1)
      }
      return try array ?? structured(at: index, "array").array(at: 0)
    case .row: throw mismatch(at: index, "array")
    case .members(let items):
      let decoder = GraphRowDecoder(
        .members(items), of: self, at: step(to: index), depth: depth)
      return FieldElements(decoder: decoder, count: items.count)
    }
  }

  func dictionary(at index: Int) throws -> FieldMembers {
    let members = try withText(at: index, "object") {
      reading.texts.dictionary($0, at: index, depth: depth + 1)
    }
    return try members ?? structured(at: index, "object").dictionary(at: 0)
  }

  func codable<Value: Decodable>(_ type: Value.Type, at index: Int) throws -> Value {
    var text = try string(at: index)
    let value = text.withUTF8 { reading.texts.json(type, UnsafeRawBufferPointer($0), at: index) }
    return try value
      ?? codable(
        type, at: index, json: Data(string(at: index).utf8), isStored: true, depth: depth + 1)
  }

  /// Calls a closure with the JSON text at an index.
  private func withText<Result>(
    at index: Int, _ expected: String, _ body: (UnsafeRawBufferPointer) -> Result
  ) throws -> Result {
    try row?.node.table.keys[index].checkStructure(expected)
    var text = try string(at: index)
    return text.withUTF8 { body(UnsafeRawBufferPointer($0)) }
  }

  private func structured(at index: Int, _ expected: String) throws -> any FieldDecoder {
    let text = try string(at: index)
    let decoder = StructuredText.decoder(
      of: text, at: path.appending(step(to: index)), dividedBy: row?.node.table.division(at: index),
      depth: depth + 1)
    guard let decoder else {
      throw error(.invalidValue, at: index, expected: "JSON \(expected)")
    }
    return decoder
  }

  func field(at index: Int) -> FieldDescription {
    let found: String =
      switch item(at: index) {
      case .value(let value): "\(value)"
      case .row(let row): row.description
      case .members(let items): "\(items.count) rows"
      }
    return FieldDescription(path: path.appending(step(to: index)), found: found)
  }

  private func step(to index: Int) -> FieldPath.Component {
    row.map { .key($0.node.table.keys[index].name) } ?? .index(index)
  }

  private var path: FieldPath {
    if let parent, let step { return parent.path.appending(step) }
    return FieldPath(row.map { [.key($0.node.name), .key("\($0.id)")] } ?? [])
  }

  /// The rows from the outermost one to this one.
  private var chain: [StoredRow] {
    sequence(first: self) { $0.parent }.compactMap(\.row).reversed()
  }

  private func isInside(_ other: StoredRow) -> Bool {
    var decoder: GraphRowDecoder? = self
    while let container = decoder {
      if let row = container.row, row.id == other.id, row.node === other.node { return true }
      decoder = container.parent
    }
    return false
  }

  private func cycle(to row: StoredRow) -> StoreError {
    let path = chain + [row]
    guard isInside(row) else { return StoreError(nestedIn: path.first?.description) }
    return StoreError(
      .cycle, subject: row.description,
      reason: "it contains itself: " + path.map(\.description).joined(separator: " > "),
      suggestion: "hold one of the related models by `ModelReference`")
  }
}
