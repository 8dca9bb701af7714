import Foundation
import GRDB
import MohoMapping
import MohoRows

/// Binds the fields of a model to the parameters of a statement.
// SAFETY: Bytes that SQLite does not copy stay valid until the encoder is
// reset. They are in the statement's memory or in the memory of a decoder that
// guarantees this. After a reset, all parameters are bound again or cleared
// before the statement runs.
final class RowFieldEncoder: ErrorCollectingEncoder, UTF8Sink {
  let statement: PreparedStatement
  private let binder: StatementBinder
  private let parameters: [Int32]
  private let identity: Int?
  private let keys: [FieldKey]

  /// The last integer that was written to the key that is the row ID.
  private(set) var identityValue: Int64?

  /// - Parameters:
  ///   - parameters: The parameter number of each key, or 0 for keys without a
  ///     parameter.
  ///   - identity: The position of the key that is the row ID, if a key is it.
  ///   - keys: The keys of the mapping.
  init(
    _ statement: PreparedStatement, parameters: [Int32], identity: Int? = nil,
    keys: [FieldKey]
  ) {
    self.statement = statement
    binder = statement.binder
    self.keys = keys
    self.parameters = parameters
    self.identity = identity
  }

  deinit { clearBindings() }

  var validatesModels: Bool { true }

  func path(at index: Int) -> FieldPath? {
    keys.indices.contains(index) ? column(index) : nil
  }

  private func column(_ index: Int) -> FieldPath { FieldPath([.key(keys[index].name)]) }

  /// Sets all parameters to null, so that fields that are not written are null.
  func clearBindings() {
    statement.clearBindings()
    identityValue = nil
  }

  /// Invalidates the bound values. Each parameter must be bound again before
  /// the statement runs.
  func reset() {
    binder.memory?.reset()
    identityValue = nil
  }

  var hasIdentity: Bool { identity != nil }

  func encodeNull(at index: Int) throws { try binder.bindNull(at: parameters[index]) }

  func encode(_ value: Bool, at index: Int) throws {
    try encode(value ? 1 : 0 as Int64, at: index)
  }

  func encode(_ value: Int64, at index: Int) throws {
    if index == identity { identityValue = value }
    try binder.bind(value, at: parameters[index])
  }

  func encode(_ value: UInt64, at index: Int) throws {
    try encode(StoredValue.storable(value), at: index)
  }

  func encode(_ value: Double, at index: Int) throws {
    try binder.bind(StoredValue.storable(value), at: parameters[index])
  }

  func encode(_ value: Decimal, at index: Int) throws {
    try binder.bind(StoredValue.storable(value), at: parameters[index])
  }

  func encode(_ value: String, at index: Int) throws {
    try binder.bind(value, at: parameters[index])
  }

  func encode(_ text: BorrowedUTF8, at index: Int) throws {
    try binder.bind(text: text.bytes, isStable: text.isStable, at: parameters[index])
  }

  func encode(_ value: Data, at index: Int) throws {
    try binder.bind(value, at: parameters[index])
  }

  func encode(_ value: Date, _ format: DateFormat, at index: Int) throws {
    try encode(value.timeIntervalSinceReferenceDate, at: index)
  }

  func encodeObject(
    at index: Int, keys: FieldKeys, _ body: (any FieldEncoder) throws -> Void
  ) throws {
    try self.keys[index].checkStructure("object")
    try encode(textAt: index) { try $0.encodeObject(at: 0, keys: keys, body) }
  }

  func encodeArray(
    at index: Int, count: Int, _ body: (any FieldEncoder) throws -> Void
  ) throws {
    try self.keys[index].checkStructure("array")
    try encode(textAt: index) { try $0.encodeArray(at: 0, count: count, body) }
  }

  func encodeDictionary(
    at index: Int, names: [String], _ body: (any FieldEncoder) throws -> Void
  ) throws {
    try self.keys[index].checkStructure("dictionary")
    try encode(textAt: index) { try $0.encodeDictionary(at: 0, names: names, body) }
  }

  private func encode(textAt index: Int, _ body: (any FieldEncoder) throws -> Void) throws {
    try encode(StructuredText.text(at: column(index), validating: true, body), at: index)
  }
}
