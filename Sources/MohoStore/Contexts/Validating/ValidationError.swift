public import MohoMapping

/// Why a context was not saved: all that is wrong with its rows.
///
/// Each key that fails is listed: a value of the wrong type does not hide the
/// failed validations of the other keys of its row. Validations of a model as a
/// whole run only where all keys of its row are valid.
///
/// Context and store are as they were.
public struct ValidationError: Error, Sendable, CustomStringConvertible {
  /// All failures, by entity, row and key.
  public let failures: [ValidationFailure]

  /// A line for each failure.
  public var description: String { failures.map(\.description).joined(separator: "\n") }
}

/// One thing that is wrong with a row.
public struct ValidationFailure: Sendable, CustomStringConvertible {
  /// What is wrong.
  public struct Kind: Hashable, Sendable, CustomStringConvertible {
    let name: String

    /// What messages begin with.
    public var description: String { name }

    /// There is no value where one is needed.
    public static let missingValue = Kind(name: "missing value")
    /// The value is none of the attribute's type.
    public static let invalidType = Kind(name: "invalid type")
    /// The value does not meet a constraint of the attribute.
    public static let invalidValue = Kind(name: "invalid value")
    /// The value does not meet a validation of the model's mapping.
    public static let failedRule = Kind(name: "failed validation")
    /// There is no row at the other end of a relationship that needs one.
    public static let missingRelation = Kind(name: "missing relation")
    /// Too few or too many rows are at the other end of a relationship.
    public static let invalidCount = Kind(name: "invalid count")
    /// The row at the other end of a relationship is deleted.
    public static let danglingRelation = Kind(name: "dangling relation")
    /// The row cannot be deleted as long as it is linked to others.
    public static let deniedDeletion = Kind(name: "denied deletion")
    /// Another row has the same value where it must be unique.
    public static let notUnique = Kind(name: "not unique")
    /// The attribute is the row's identity, which does not change once the row
    /// is stored.
    public static let changedIdentity = Kind(name: "changed identity")
  }

  /// What is wrong.
  public let kind: Kind
  /// The row.
  public let row: RowIdentity
  /// The keys that it is about; none of the row as a whole.
  public let keys: [String]
  /// What was found.
  public let found: String
  /// What was expected.
  public let expected: String?
  /// The error of the mapping, where it came from one.
  public let underlying: MappingError?

  init(
    _ kind: Kind, _ row: RowIdentity, _ keys: [String], found: String, expected: String? = nil,
    underlying: MappingError? = nil
  ) {
    self.kind = kind
    self.row = row
    self.keys = keys
    self.found = found
    self.expected = expected
    self.underlying = underlying
  }

  /// The message: `<what>: <found>, expected <expected> - <keys of row>`.
  public var description: String {
    let names = keys.map { "`\($0)` of " }.joined(separator: "")
    let expected = expected.map { ", expected \($0)" } ?? ""
    return "\(kind): \(found)\(expected) - \(names)\(row)".escapedForMessages
  }
}
