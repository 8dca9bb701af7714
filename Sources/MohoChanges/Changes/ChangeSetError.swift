/// An error for records that do not form a valid ``ChangeSet``, or that do not
/// fit the list that they are applied to.
///
/// Change sets that are computed from lists are always valid. The error concerns
/// change sets that are decoded. A decoder reports it as the underlying error of
/// a `DecodingError`.
public struct ChangeSetError: Error, Hashable, Sendable {
  /// The kind of an error.
  public struct Code: Hashable, Sendable, CustomStringConvertible {
    let name: String

    /// The text that the error message starts with.
    public var description: String { name }

    /// An index is negative or too large.
    public static let invalidIndex = Code(name: "invalid index")
    /// A record contradicts itself, such as an insertion with changed keys.
    public static let invalidRecord = Code(name: "invalid record")
    /// Two records have the same row, the same path, or the same section.
    public static let repeatedRecord = Code(name: "repeated record")
    /// The positions of records contradict each other.
    public static let inconsistentPositions = Code(name: "inconsistent positions")
    /// The records are valid, but describe the change of another list.
    public static let listMismatch = Code(name: "list mismatch")
  }

  /// The kind of the error.
  public let code: Code
  /// The found and the expected state.
  public let reason: String
  /// The ID of the row whose record is invalid, if the error concerns a row.
  public let rowID: Int64?

  init(_ code: Code, _ reason: String, rowID: Int64? = nil) {
    self.code = code
    self.reason = reason
    self.rowID = rowID
  }
}

extension ChangeSetError: CustomStringConvertible {
  /// One line with the code, the found and the expected state, and the row ID.
  public var description: String {
    "\(code): \(reason)\(rowID.map { " - row \($0)" } ?? "")"
  }
}
