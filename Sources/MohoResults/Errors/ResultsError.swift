import MohoMapping

/// Why results could not be made or read.
public struct ResultsError: Error, Sendable, CustomStringConvertible {
  /// What kind of failure it is.
  public struct Code: Hashable, Sendable, CustomStringConvertible {
    let name: String

    /// What messages begin with.
    public var description: String { name }

    /// The section key is not the first ordering of the request, so that the
    /// rows of a section would not stand together.
    public static let sectionKeyNotFirst = Code(name: "misordered sections")
    /// The section key holds values that sections cannot be made of.
    public static let invalidSectionKey = Code(name: "invalid section key")
    /// The snapshot that updates were to begin at is another controller's.
    public static let foreignSnapshot = Code(name: "foreign snapshot")
    /// There is no row at a path.
    public static let noSuchRow = Code(name: "no such row")
    /// The row at a path was deleted after the snapshot was made.
    public static let rowDeleted = Code(name: "row deleted")
    /// The row at a path was changed after the snapshot was made.
    public static let rowChanged = Code(name: "row changed")
  }

  /// What kind of failure it is.
  public let code: Code
  /// What was found and how to mend it.
  public let reason: String

  /// The message: `<what>: <found>; <how to mend it>`.
  public var description: String { "\(code.name): \(reason)".escapedForMessages }
}
