/// A section that came or went between two states of a list.
///
/// Sections have no moves: one that lost its place among the others is deleted
/// and inserted, with the same key.
public struct SectionChange: Hashable, Sendable {
  /// What happened to a section.
  public enum Kind: Hashable, Sendable {
    /// The section is new in the list.
    case insert
    /// The section left the list.
    case delete
  }

  /// What happened.
  public let kind: Kind
  /// The value the rows of the section have in common.
  public let key: SectionKey
  /// The number of the section: in old space for a deletion, in new space for
  /// an insertion.
  public let index: Int

  /// Makes the record of a section.
  public init(kind: Kind, key: SectionKey, index: Int) {
    self.kind = kind
    self.key = key
    self.index = index
  }
}

extension SectionChange: CustomStringConvertible {
  /// One line, such as `insert section 2 "Drama"`.
  public var description: String { "\(kind) section \(index) \(key)" }
}
