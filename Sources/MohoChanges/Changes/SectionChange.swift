/// The record of a section that was inserted or deleted.
///
/// Sections do not move. A section that changed its order relative to other
/// sections is deleted and inserted with the same key.
public struct SectionChange: Hashable, Sendable {
  /// How a section changed.
  public enum Kind: Hashable, Sendable {
    /// The section is only in the new list.
    case insert
    /// The section is only in the old list.
    case delete
  }

  /// How the section changed.
  public let kind: Kind
  /// The value that all rows of the section have in common.
  public let key: SectionKey
  /// The index of the section: in old space for a deletion, in new space for an
  /// insertion.
  public let index: Int

  /// Creates the record of a section.
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
