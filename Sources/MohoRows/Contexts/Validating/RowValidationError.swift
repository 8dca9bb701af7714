public import Foundation
public import MohoMapping

/// The validation failures that prevented saving an ``EditingContext``.
///
/// The error lists every key that failed: a value with a wrong type does not
/// hide failures of other keys of the same row. Rules for a whole model run
/// only if all keys of its row are valid.
///
/// The context and the store are unchanged.
public struct RowValidationError: Error, Sendable, CustomStringConvertible {
  /// All failures, sorted by row.
  public let failures: [ValidationFailure]

  init(failures: [ValidationFailure]) { self.failures = failures }

  /// - Parameter failures: The failures, in any order of their rows.
  init(sorting failures: [ValidationFailure]) {
    let order = failures.enumerated().sorted { one, other in
      (one.element.row, one.offset) < (other.element.row, other.offset)
    }
    self.failures = order.map(\.element)
  }

  /// The descriptions of the failures, one per line.
  public var description: String { failures.map(\.description).joined(separator: "\n") }
}

/// A validation failure of a row.
public struct ValidationFailure: Sendable, CustomStringConvertible {
  /// The kind of a failure.
  public struct Kind: Hashable, Sendable, CustomStringConvertible {
    let name: String

    /// The text that the message of the failure starts with.
    public var description: String { name }

    /// A required value is missing.
    public static let missingValue = Kind(name: "missing value")
    /// The value does not have the type of the attribute.
    public static let invalidType = Kind(name: "invalid type")
    /// The value violates a constraint of the attribute.
    public static let invalidValue = Kind(name: "invalid value")
    /// The value violates a validation rule of the model's mapping.
    public static let failedRule = Kind(name: "failed validation")
    /// A required to-one relationship has no row.
    public static let missingRelation = Kind(name: "missing relation")
    /// A relationship has too few or too many rows.
    public static let invalidCount = Kind(name: "invalid count")
    /// A relationship refers to a deleted row.
    public static let danglingRelation = Kind(name: "dangling relation")
    /// A delete rule denies the deletion, because the row is linked to other
    /// rows.
    public static let deniedDeletion = Kind(name: "deletion denied")
    /// Another row has the same value for a unique key.
    public static let notUnique = Kind(name: "not unique")
    /// A value could not be assigned to a property of a ``ModelRow``, for example
    /// because the row has been deleted.
    public static let refusedAssignment = Kind(name: "refused assignment")
    /// The identity attribute of a stored row has changed.
    public static let changedIdentity = Kind(name: "changed identity")
  }

  /// The kind of the failure.
  public let kind: Kind
  /// The row that failed.
  public let row: RowIdentity
  /// The keys that failed. Empty if the row failed as a whole.
  public let keys: [String]
  /// A description of the invalid value.
  public let found: String
  /// A description of valid values.
  public let expected: String?
  /// The mapping error, if a rule of the mapping failed.
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

  /// The message: `<kind>: <found>, expected <expected> - <keys of row>`.
  public var description: String {
    let names = keys.map { "`\($0)`" }.joined(separator: ", ")
    let expected = expected.map { ", expected \($0)" } ?? ""
    return "\(kind): \(found)\(expected) - \(keys.isEmpty ? "" : "\(names) of ")\(row)"
      .escapedForMessages
  }
}

extension RowValidationError: LocalizedError {
  /// The description of the error, for `localizedDescription`. It is not
  /// localized.
  public var errorDescription: String? { description }
}
