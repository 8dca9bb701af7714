import Foundation

/// How the value of one key is copied from a decoder to an encoder, with its
/// Swift type erased.
struct KeyCopy: Sendable {
  /// The form of the value, or nil if only ``copy`` can copy it.
  let form: PlainForm?
  let dateFormat: DateFormat
  let isOptional: Bool
  /// Whether a decoder of documents can supply the value.
  let isStoreOnly: Bool
  /// Reads the value and writes it.
  let copy: @Sendable (any FieldDecoder, any FieldEncoder, Int) throws -> Void

  init<Value>(
    form: PlainForm?, dateFormat: DateFormat, isOptional: Bool, isStoreOnly: Bool,
    read: @escaping @Sendable (any FieldDecoder, Int) throws -> Value,
    write: @escaping @Sendable (Value, any FieldEncoder, Int) throws -> Void
  ) {
    self.form = form
    self.dateFormat = dateFormat
    self.isOptional = isOptional
    self.isStoreOnly = isStoreOnly
    copy = { decoder, encoder, index in try write(read(decoder, index), encoder, index) }
  }
}

/// The form of values that one call of a decoder reads and one call of an
/// encoder writes.
@usableFromInline
enum PlainForm: Sendable {
  case bool, int64, double, string, date

  /// The form of a type or its optional, or nil if it has none.
  @usableFromInline
  init?<Value>(of type: Value.Type) {
    switch Value.self {
    case is Bool.Type, is Bool?.Type: self = .bool
    case is Int.Type, is Int?.Type, is Int64.Type, is Int64?.Type: self = .int64
    case is Double.Type, is Double?.Type: self = .double
    case is String.Type, is String?.Type: self = .string
    case is Date.Type, is Date?.Type: self = .date
    default: return nil
    }
  }
}
