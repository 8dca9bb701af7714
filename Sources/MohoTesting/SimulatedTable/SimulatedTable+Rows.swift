public import MohoChanges

extension SimulatedTable {
  /// A row as the data source has it.
  public struct Row: Equatable, Sendable {
    /// The identity of the row.
    public var id: Int64
    /// What a cell of the row shows.
    public var content: Content

    /// Makes a row.
    public init(id: Int64, content: Content) {
      self.id = id
      self.content = content
    }
  }

  /// What a data source answers at one moment: all rows, by section.
  public struct Rows: Equatable, Sendable {
    /// The rows of each section, in order.
    public var sections: [[Row]]

    /// Makes the answer of a data source.
    public init(sections: [[Row]] = []) {
      self.sections = sections
    }

    /// Makes the answer for the rows of an index.
    public init(_ index: OrderedIndex, content: (Int64) throws -> Content) rethrows {
      sections = try (0..<index.sectionCount).map { section in
        try index.rowIDs(inSection: section).map { Row(id: $0, content: try content($0)) }
      }
    }

    /// The number of rows in each section.
    public var counts: [Int] { sections.map(\.count) }
  }
}
