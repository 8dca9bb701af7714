/// Rows that cannot be made into an ``OrderedIndex``.
public struct OrderedIndexError: Error, Hashable, Sendable {
  /// What is wrong with the rows.
  public struct Code: Hashable, Sendable {
    let name: String

    /// The rows of one section do not follow one another, so the list is not
    /// ordered by its section key first.
    public static let misorderedSection = Code(name: "misordered section key")
  }

  /// What is wrong.
  public let code: Code
  /// The key of the section that comes a second time.
  public let section: SectionKey
  /// The key of the section that stands in between.
  public let current: SectionKey
  /// The row that was to be added.
  public let rowID: Int64
}

extension OrderedIndexError: CustomStringConvertible {
  /// One line that names both sections and the row.
  public var description: String {
    """
    \(code.name): found \(quoted(section)) again after \(quoted(current)), \
    expected the rows of a section in one run - row \(rowID); \
    order by the section key first
    """
  }

  private func quoted(_ key: SectionKey) -> String {
    guard case .text(let value) = key, value.count > 80 else { return key.description }
    return SectionKey.text(value.prefix(80) + "…").description
  }
}
