/// The kind of value that a key holds. It decides the column that a store keeps
/// it in.
public enum FieldType: String, Hashable, Sendable {
  /// No value at all: a transient property.
  case null
  /// A truth value.
  case boolean
  /// An integer of up to 64 bits.
  case integer
  /// A number in double precision.
  case double
  /// An exact decimal number.
  case decimal
  /// Text.
  case string
  /// A date.
  case date
  /// Bytes.
  case data
  /// A nested model.
  case object
  /// A model kept elsewhere, by its unique key.
  case reference
  /// Several values in order.
  case array
  /// Values by name.
  case dictionary
}
