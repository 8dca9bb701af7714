public import Foundation
import MohoMapping

/// An error that prevents creating a result or reading a row.
public struct ResultsError: Error, Sendable, CustomStringConvertible {
  /// The kind of an error.
  public struct Code: Hashable, Sendable, CustomStringConvertible {
    let name: String

    /// The text that the error message starts with.
    public var description: String { name }

    /// The section key is not the first ordering of the request, so the rows of
    /// a section would not be contiguous.
    public static let sectionKeyNotFirst = Code(name: "misordered sections")
    /// The section key has values that cannot form sections.
    public static let invalidSectionKey = Code(name: "invalid section key")
    /// The snapshot comes from another controller.
    public static let foreignSnapshot = Code(name: "foreign snapshot")
    /// There is no row at a path.
    public static let rowNotFound = Code(name: "row not found")
    /// The row at a path was deleted after the snapshot was taken.
    public static let rowDeleted = Code(name: "row deleted")
    /// The row at a path was changed after the snapshot was taken.
    public static let rowChanged = Code(name: "row changed")
  }

  /// The kind of the error.
  public let code: Code
  /// The reason for the error, and how to resolve it.
  public let reason: String

  /// The message: `<code>: <reason>; <how to resolve it>`.
  public var description: String { "\(code.name): \(reason)".escapedForMessages }
}

extension ResultsError: LocalizedError {
  /// The error's description, for `localizedDescription`. It is not localized.
  public var errorDescription: String? { description }
}
