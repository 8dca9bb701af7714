public import MohoMapping

/// One column of an entity.
public struct Attribute: Sendable, Hashable {
  /// The name of the key and of the column.
  public let name: String
  /// What the column holds.
  public let type: AttributeType
  /// Whether it may hold no value.
  public let isOptional: Bool
  /// The value of rows that are made without one, or nil for none.
  public let defaultValue: FieldContent?
  /// What values must be beside their type.
  public let constraints: [AttributeConstraint]
  /// The name that the attribute had before, or nil: a store that has a column
  /// of that name and none of this renames it.
  public let renamedFrom: String?
  /// What rows hold that are older than the attribute, where the column has no
  /// default of its own; or nil for none.
  let fallback: FieldContent?

  /// Declares an attribute.
  ///
  /// ```swift
  /// Attribute("priority", .int16, default: .int64(3), constraints: .range(1...5))
  /// ```
  ///
  /// - Parameters:
  ///   - name: The name of the key and of the column.
  ///   - type: What the column holds.
  ///   - isOptional: Whether it may hold no value.
  ///   - defaultValue: The value of rows that are made without one.
  ///   - constraints: What values must be beside their type.
  ///   - renamedFrom: The name that the attribute had before.
  public init(
    _ name: String, _ type: AttributeType, isOptional: Bool = false,
    default defaultValue: FieldContent? = nil, constraints: [AttributeConstraint] = [],
    renamedFrom: String? = nil
  ) {
    self.init(
      name, type, isOptional: isOptional, default: defaultValue, constraints: constraints,
      renamedFrom: renamedFrom, fallback: nil)
  }

  init(
    _ name: String, _ type: AttributeType, isOptional: Bool,
    default defaultValue: FieldContent? = nil, constraints: [AttributeConstraint] = [],
    renamedFrom: String? = nil, fallback: FieldContent?
  ) {
    self.name = name
    self.type = type
    self.isOptional = isOptional
    self.defaultValue = defaultValue
    self.constraints = constraints
    self.renamedFrom = renamedFrom
    self.fallback = fallback
  }
}

/// What a column holds.
///
/// Values pass between three worlds. Those of documents and of rows are these:
///
/// | Swift | JSON | SQLite |
/// |---|---|---|
/// | integers of all widths | number | `INTEGER`; above `Int64.max` an error |
/// | `Double`, `Float` | number, finite | `REAL`, infinities too; not-a-number is an error |
/// | `Decimal` | number, all digits | `TEXT`, all digits, ordered by `moho_decimal` |
/// | `Bool` | `true`, `false` | `INTEGER`, 0 or 1 |
/// | `String`, `URL`, `UUID`, text enums | string | `TEXT`, null characters too |
/// | `Date` | string or number, by the key's format | `REAL`, seconds since 2001, exact |
/// | `Data` | string, Base64 | `BLOB` |
/// | `.codable` values | their own form | `TEXT`, their JSON |
/// | arrays, sets, dictionaries of these | array, object | `TEXT`, their JSON |
/// | a model by `.key` or `.inlined` | object, or keys among the others | `TEXT`, its JSON |
/// | a model or a reference by `.toOne` | object or bare key | `INTEGER`, identity of a row |
/// | models or references by `.toMany` | array | links: no column of this table |
/// | nil | null, or no key | `NULL` |
///
/// Within JSON text in a column, values are what they are in JSON, and dates
/// are as exact as the key's format. The text is compact with sorted members,
/// so that equal values have equal text, and SQLite's JSON functions take it:
/// `SELECT title FROM Episode, json_each(tags) WHERE value = 'rock'`. Keys of
/// models in it that only a store holds are kept under `_moho_` and their name.
public enum AttributeType: String, Sendable, Hashable, CaseIterable {
  /// An integer of 16 bits.
  case int16
  /// An integer of 32 bits.
  case int32
  /// An integer of 64 bits.
  case int64
  /// An exact decimal number, as text.
  case decimal
  /// A number in double precision.
  case double
  /// A number in single precision.
  case float
  /// Text.
  case string
  /// A truth value, as 0 or 1.
  case boolean
  /// A date, as seconds since 2001-01-01T00:00:00Z.
  case date
  /// Bytes.
  case data
  /// A UUID, as text in upper case.
  case uuid
  /// A URL, as text.
  case url
  /// A value with structure, such as an array, as JSON text.
  case transformable
}

/// What the values of an attribute must be beside its type. Nil meets each.
public enum AttributeConstraint: Sendable, Hashable {
  /// A number, a date or a text not below the value.
  case minimum(FieldContent)
  /// A number, a date or a text not above the value.
  case maximum(FieldContent)
  /// A text of so many characters, or so many bytes of data.
  case length(ClosedRange<Int>)
  /// One of some values.
  case oneOf([FieldContent])
}

extension [AttributeConstraint] {
  /// An integer in a range.
  public static func range(_ range: ClosedRange<Int64>) -> Self {
    [.minimum(.int64(range.lowerBound)), .maximum(.int64(range.upperBound))]
  }
}
