public import MohoMapping

/// A column of an entity.
public struct Attribute: Sendable, Hashable {
  /// The name of the key and the column.
  public let name: String
  /// The type of the values.
  public let type: AttributeType
  /// A Boolean value indicating whether the value can be nil.
  public let isOptional: Bool
  /// The value of new rows for which no value is given, or nil if there is no
  /// default.
  public let defaultValue: FieldContent?
  /// The constraints on the values.
  public let constraints: [AttributeConstraint]
  /// The former name of the attribute. A store that has a column with this
  /// name, and no column with the current name, renames the column.
  public let renamedFrom: String?
  /// The value for existing rows when the column is added without a default, if
  /// any.
  package let backfillValue: FieldContent?
  /// The model whose keys structured values have.
  let nestedModel: NestedModel

  /// Creates an attribute.
  ///
  /// ```swift
  /// Attribute("priority", .int16, default: .int64(3), constraints: .range(1...5))
  /// ```
  ///
  /// - Parameters:
  ///   - name: The name of the key and the column.
  ///   - type: The type of the values.
  ///   - isOptional: Whether the value can be nil.
  ///   - defaultValue: The value of new rows for which no value is given.
  ///   - constraints: The constraints on the values.
  ///   - renamedFrom: The former name of the attribute.
  public init(
    _ name: String, _ type: AttributeType, isOptional: Bool = false,
    default defaultValue: FieldContent? = nil, constraints: [AttributeConstraint] = [],
    renamedFrom: String? = nil
  ) {
    self.init(
      name, type, isOptional: isOptional, default: defaultValue, constraints: constraints,
      renamedFrom: renamedFrom, backfillValue: nil)
  }

  init(
    _ name: String, _ type: AttributeType, isOptional: Bool,
    default defaultValue: FieldContent? = nil, constraints: [AttributeConstraint] = [],
    renamedFrom: String? = nil, backfillValue: FieldContent?, nestedModel: NestedModel = .unknown
  ) {
    self.name = name
    self.type = type
    self.isOptional = isOptional
    self.defaultValue = defaultValue
    self.constraints = constraints
    self.renamedFrom = renamedFrom
    self.backfillValue = backfillValue
    self.nestedModel = nestedModel
  }
}

/// The model whose keys the values of a column have. It is not part of the definition of
/// the column, so all of them are equal.
struct NestedModel: Sendable, Hashable {
  static let unknown = NestedModel(schema: nil)

  /// Returns the keys of the model, if they are known.
  let schema: (@Sendable () -> ObjectSchema?)?

  static func == (one: Self, other: Self) -> Bool { true }
  func hash(into hasher: inout Hasher) {}
}

/// The type of a column.
///
/// Values in Swift, JSON documents and SQLite rows correspond as follows:
///
/// | Swift | JSON | SQLite |
/// |---|---|---|
/// | integers of all widths | number | `INTEGER`; an error above `Int64.max` |
/// | `Double`, `Float` | finite number | `REAL`, including infinity; NaN is an error |
/// | `Decimal` | number with all digits | `TEXT` with all digits, sorted by `moho_decimal` |
/// | `Bool` | `true`, `false` | `INTEGER`, 0 or 1 |
/// | `String`, `URL`, `UUID`, string enums | string | `TEXT`, including null characters |
/// | `Date` | string or number in the format of the key | `REAL`, seconds since 2001, exact |
/// | `Data` | string, Base64 | `BLOB` |
/// | `.codable` values | the encoded value | `TEXT`, the encoded JSON |
/// | arrays, sets and dictionaries of these | array, object | `TEXT`, JSON |
/// | a model with `.key` or `.inlined` | object, or keys of the parent object | `TEXT`, JSON |
/// | a model or a reference with `.toOne` | object, or the key | `INTEGER`, identity of a row |
/// | models or references with `.toMany` | array | links outside of this table |
/// | nil | null or a missing key | `NULL` |
///
/// JSON text in a column has the same values as a JSON document, with dates in
/// the format of the key. The text is compact and its members are sorted, so
/// that equal values have equal text. SQLite's JSON functions can query it:
/// `SELECT title FROM Episode, json_each(tags) WHERE value = 'rock'`.
/// Store-only keys of nested models are members whose names start with
/// `_moho_`.
public enum AttributeType: String, Sendable, Hashable, CaseIterable {
  /// A 16-bit integer.
  case int16
  /// A 32-bit integer.
  case int32
  /// A 64-bit integer.
  case int64
  /// An unsigned 64-bit integer. Stores in SQLite, and attributes that alone identify
  /// rows, use ``int64`` instead.
  case uint64
  /// An exact decimal number, stored as text.
  case decimal
  /// A double-precision floating-point number.
  case double
  /// A single-precision floating-point number.
  case float
  /// Text.
  case string
  /// A Boolean value, stored as 0 or 1.
  case boolean
  /// A date, stored as seconds since 2001-01-01T00:00:00Z.
  case date
  /// Binary data.
  case data
  /// A UUID, stored as uppercase text.
  case uuid
  /// A URL, stored as text.
  case url
  /// A structured value such as an array, stored as JSON text.
  case structured
}

/// A constraint on the values of an attribute. Nil satisfies every constraint.
public enum AttributeConstraint: Sendable, Hashable {
  /// A number, a date or a text that is greater than or equal to the value.
  case minimum(FieldContent)
  /// A number, a date or a text that is less than or equal to the value.
  case maximum(FieldContent)
  /// A text whose number of Unicode scalars is in the range, or data whose
  /// number of bytes is in the range.
  case length(ClosedRange<Int>)
  /// One of the given values.
  case oneOf([FieldContent])
}

extension [AttributeConstraint] {
  /// The constraints for an integer in a range.
  public static func range(_ range: ClosedRange<Int64>) -> Self {
    [.minimum(.int64(range.lowerBound)), .maximum(.int64(range.upperBound))]
  }
}
