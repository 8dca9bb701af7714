public import MohoChanges

extension SimulatedTable {
  /// A row of the data source.
  public struct Row: Equatable, Sendable {
    /// The identity of the row.
    public var id: Int64
    /// The content that a cell of the row shows.
    public var content: Content

    /// Creates a row.
    public init(id: Int64, content: Content) {
      self.id = id
      self.content = content
    }
  }

  /// The rows of a data source at one time, by section.
  public struct Rows: Equatable, Sendable {
    /// The rows of each section, in order.
    public var sections: [[Row]]

    /// The texts of the section headers, such as the summaries of sections. Headers
    /// without a text are not checked.
    public var headers: [Int: String] = [:]

    /// Creates the rows of a data source.
    public init(sections: [[Row]] = []) {
      self.sections = sections
    }

    /// Creates rows from an index.
    public init(_ index: OrderedIndex, content: (Int64) throws -> Content) rethrows {
      sections = try (0..<index.sectionCount).map { section in
        try index.rowIDs(inSection: section).map { Row(id: $0, content: try content($0)) }
      }
    }

    /// Creates rows from an index and their contents.
    ///
    /// ```swift
    /// let rows = try SimulatedTable.Rows(snapshot.index, contents: snapshot.models())
    /// ```
    ///
    /// - Parameters:
    ///   - index: The identities of the rows, in sections.
    ///   - contents: The contents of all rows, in the order of the index. Rows
    ///     without a content are omitted.
    public init(_ index: OrderedIndex, contents: some Sequence<Content>) {
      var rest = contents.makeIterator()
      sections = (0..<index.sectionCount).map { section in
        index.rowIDs(inSection: section).compactMap { id in
          rest.next().map { Row(id: id, content: $0) }
        }
      }
    }

    /// The number of rows in each section.
    public var counts: [Int] { sections.map(\.count) }
  }
}
