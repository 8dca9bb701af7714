/// The index path of a row: the index of its section and its index within the
/// section.
///
/// A path is valid in one index space only. *Old space* is the list before a
/// change, *new space* the list after it. The documentation of each property
/// that holds a path names its space.
public struct RowPath: Hashable, Sendable {
  /// The zero-based index of the section.
  public var section: Int
  /// The zero-based index of the row within its section.
  public var row: Int

  /// Creates the path of a row.
  public init(section: Int, row: Int) {
    self.section = section
    self.row = row
  }
}

extension RowPath: Comparable {
  /// Orders paths by section, then by row.
  public static func < (lhs: RowPath, rhs: RowPath) -> Bool {
    lhs.section == rhs.section ? lhs.row < rhs.row : lhs.section < rhs.section
  }
}

extension RowPath: CustomStringConvertible {
  /// The section and the row in brackets, such as `[2, 5]`.
  public var description: String { "[\(section), \(row)]" }
}
