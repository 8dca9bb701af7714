/// Rows that cannot be made into an ``OrderedIndex``.
public struct OrderedIndexError: Error, Hashable, Sendable {
  /// What is wrong with the rows.
  public struct Code: Hashable, Sendable {
    let name: String

    /// The rows of one section do not follow one another, so the list is not
    /// ordered by its section key first.
    public static let misorderedSection = Code(name: "misordered section key")
    /// A row is to follow one that is not in the list.
    public static let unknownPredecessor = Code(name: "unknown predecessor")
    /// A row is named twice in one change.
    public static let repeatedRow = Code(name: "repeated row")
    /// The rows of a change are not in the order that they come to have.
    public static let misorderedRow = Code(name: "misordered row")
  }

  /// What is wrong.
  public let code: Code
  /// The row that was to be added or placed.
  public let rowID: Int64
  /// The key of the row's section, for a misordered section.
  public let section: SectionKey?
  /// The key of the section that stands in its way, for a misordered section.
  public let current: SectionKey?
  /// The row that the row was to follow, where it is to be placed and not the
  /// first.
  public let predecessor: Int64?

  init(
    code: Code, rowID: Int64, section: SectionKey? = nil, current: SectionKey? = nil,
    predecessor: Int64? = nil
  ) {
    self.code = code
    self.rowID = rowID
    self.section = section
    self.current = current
    self.predecessor = predecessor
  }
}

extension OrderedIndexError: CustomStringConvertible {
  /// One line that names what was found, what was expected and the row.
  public var description: String {
    "\(code.name): \(finding) - row \(rowID)\(code == .misorderedSection ? advice : "")"
  }

  private var advice: String { "; order by the section key first" }

  private var finding: String {
    let predecessor = predecessor.map { "row \($0)" } ?? "the first place"
    switch code {
    case .unknownPredecessor:
      return "found \(predecessor) neither in the list nor placed, expected one that is"
    case .repeatedRow:
      return "found it again, expected each touched row once"
    case .misorderedRow:
      return "found it behind \(predecessor), expected a place behind the row placed last"
    default:
      return """
        found \(quoted(section)) again after \(quoted(current)), \
        expected the rows of a section in one run
        """
    }
  }

  private func quoted(_ key: SectionKey?) -> String {
    guard let key else { return "another section" }
    guard case .text(let value) = key, value.count > 80 else { return key.description }
    return SectionKey.text(value.prefix(80) + "…").description
  }
}
