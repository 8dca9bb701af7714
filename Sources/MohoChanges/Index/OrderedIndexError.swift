/// An error for rows that do not form a valid ``OrderedIndex``.
public struct OrderedIndexError: Error, Hashable, Sendable {
  /// The kind of an error.
  public struct Code: Hashable, Sendable {
    let name: String

    /// The rows of a section are not contiguous. The section key is not the
    /// first ordering of the list.
    public static let misorderedSection = Code(name: "misordered section key")
    /// The predecessor of a placed row is not in the list.
    public static let unknownPredecessor = Code(name: "unknown predecessor")
    /// An update names a row more than once.
    public static let repeatedRow = Code(name: "repeated row")
    /// The placements of an update are not in the order of the new list.
    public static let misorderedRow = Code(name: "misordered row")
  }

  /// The kind of the error.
  public let code: Code
  /// The ID of the row that could not be appended or placed.
  public let rowID: Int64
  /// For a misordered section, the key of the section whose rows would not be
  /// contiguous.
  public let section: SectionKey?
  /// For a misordered section, the key of the section between those rows.
  public let interveningSection: SectionKey?
  /// The ID of the requested predecessor, for a placed row that is not the
  /// first of the list.
  public let predecessor: Int64?

  init(
    code: Code, rowID: Int64, section: SectionKey? = nil, interveningSection: SectionKey? = nil,
    predecessor: Int64? = nil
  ) {
    self.code = code
    self.rowID = rowID
    self.section = section
    self.interveningSection = interveningSection
    self.predecessor = predecessor
  }
}

extension OrderedIndexError: CustomStringConvertible {
  /// One line with the code, the found and the expected state, and the row ID.
  public var description: String {
    "\(code.name): \(finding) - row \(rowID)\(code == .misorderedSection ? advice : "")"
  }

  private var advice: String { "; order by the section key first" }

  private var finding: String {
    switch code {
    case .unknownPredecessor:
      let predecessor = predecessor.map { "row \($0)" } ?? "no predecessor"
      return "found \(predecessor), expected a row of the list or an earlier placement"
    case .repeatedRow:
      return "found more than one entry, expected one entry per touched row"
    case .misorderedRow:
      let position = predecessor.map { "after row \($0)" } ?? "at the start of the list"
      return "found a position \(position), expected one after the previous placement"
    default:
      return """
        found \(quoted(section)) again after \(quoted(interveningSection)), \
        expected contiguous rows in each section
        """
    }
  }

  private func quoted(_ key: SectionKey?) -> String {
    guard let key else { return "another section" }
    guard case .text(let value) = key, value.count > 80 else { return key.description }
    return SectionKey.text(value.prefix(80) + "…").description
  }
}
