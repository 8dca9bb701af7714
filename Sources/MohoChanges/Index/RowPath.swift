/// The place of a row in a sectioned list: a section and a row within it.
///
/// A path means nothing without its index space. *Old space* numbers the list
/// before a change, *new space* the list after it; every property that holds
/// a path says which one it is.
public struct RowPath: Hashable, Sendable {
  /// The number of the section, from zero.
  public var section: Int
  /// The number of the row within its section, from zero.
  public var row: Int

  /// Makes the path of a row.
  public init(section: Int, row: Int) {
    self.section = section
    self.row = row
  }
}

extension RowPath: Comparable {
  /// Orders paths as a list shows them: by section, then by row.
  public static func < (lhs: RowPath, rhs: RowPath) -> Bool {
    lhs.section == rhs.section ? lhs.row < rhs.row : lhs.section < rhs.section
  }
}

extension RowPath: CustomStringConvertible {
  /// The section and the row in brackets, such as `[2, 5]`.
  public var description: String { "[\(section), \(row)]" }
}
