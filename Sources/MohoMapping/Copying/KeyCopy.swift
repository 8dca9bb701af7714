import Foundation

/// How the value of one key gets from a decoder to an encoder, with the key's
/// Swift type erased.
struct KeyCopy: Sendable {
  /// The form without what belongs to it, which would be copied for each value.
  enum Kind { case bool, int64, double, string, date, other }

  let kind: Kind
  /// How dates are read.
  let format: DateFormat
  let isOptional: Bool
  /// Reads the value and writes it.
  let copy: @Sendable (any FieldDecoder, any FieldEncoder, Int) throws -> Void

  /// - Parameters:
  ///   - form: What the value is read and written as, if that is all that is done.
  ///   - read: Reads the value.
  ///   - write: Writes it.
  init<Value>(
    form: PlainForm?, isOptional: Bool,
    read: @escaping @Sendable (any FieldDecoder, Int) throws -> Value,
    write: @escaping @Sendable (Value, any FieldEncoder, Int) throws -> Void
  ) {
    var format = DateFormat.iso8601
    switch form {
    case .bool: kind = .bool
    case .int64: kind = .int64
    case .double: kind = .double
    case .string: kind = .string
    case .date(let dates):
      kind = .date
      format = dates
    case nil: kind = .other
    }
    self.format = format
    self.isOptional = isOptional
    copy = { decoder, encoder, index in try write(read(decoder, index), encoder, index) }
  }
}

/// What values of a type are read and written as, where that is one call of a
/// decoder and one of an encoder.
@usableFromInline
enum PlainForm: Sendable {
  case bool, int64, double, string
  case date(DateFormat)

  /// The form of a type or its optional; nil of others.
  @usableFromInline
  init?<Value>(of type: Value.Type) {
    switch Value.self {
    case is Bool.Type, is Bool?.Type: self = .bool
    case is Int.Type, is Int?.Type, is Int64.Type, is Int64?.Type: self = .int64
    case is Double.Type, is Double?.Type: self = .double
    case is String.Type, is String?.Type: self = .string
    case is Date.Type, is Date?.Type: self = .date(.iso8601)
    default: return nil
    }
  }
}
