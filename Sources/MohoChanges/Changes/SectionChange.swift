/// The record of a section that was inserted or deleted, or whose summary has
/// changed.
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
    /// The section is in both lists, and its summary differs.
    case update
  }

  /// How the section changed.
  public let kind: Kind
  /// The value that all rows of the section have in common.
  public let key: SectionKey
  /// The index of the section: in old space for a deletion, in new space for an
  /// insertion or an update.
  public let index: Int
  /// The names of the summary's values that differ, in the order of the summary.
  /// Empty for an insertion or a deletion.
  public let changedKeys: [String]

  /// Creates the record of a section.
  public init(kind: Kind, key: SectionKey, index: Int, changedKeys: [String] = []) {
    self.kind = kind
    self.key = key
    self.index = index
    self.changedKeys = changedKeys
  }
}

extension SectionChange: CustomStringConvertible {
  /// One line, such as `insert section 2 "Drama"` or
  /// `update section 2 "Drama" changed count`.
  public var description: String {
    let changed = changedKeys.isEmpty ? "" : " changed \(changedKeys.joined(separator: ", "))"
    return "\(kind) section \(index) \(key)\(changed)"
  }
}
