/// Rows of text in aligned columns. Unsafe characters are escaped; see
/// ``VisibleText``.
public struct TextTable: Sendable {
  let rows: [[String]]
  let rightAligned: Set<Int>
  let width: Int?

  /// Creates a table.
  ///
  /// - Parameters:
  ///   - rows: The cells, row by row.
  ///   - rightAligned: The indices of right-aligned columns.
  ///   - width: The maximum width of a line in terminal columns, or nil.
  public init(rows: [[String]], rightAligned: Set<Int> = [], width: Int? = nil) {
    self.rows = rows.map { $0.map(VisibleText.escaped) }
    self.rightAligned = rightAligned
    self.width = width
  }

  /// A line for each row. Columns that are empty in all rows are omitted. The
  /// last column is not padded.
  public var lines: [String] {
    let count = rows.map(\.count).max() ?? 0
    let widths = (0..<count).map { column in
      rows.map { column < $0.count ? TextWidth.of($0[column]) : 0 }.max() ?? 0
    }
    return rows.map { cells in
      var row = cells
      while row.last?.isEmpty == true { row.removeLast() }
      var line = ""
      for (column, text) in row.enumerated() where widths[column] > 0 {
        let space = String(repeating: " ", count: widths[column] - TextWidth.of(text))
        let isLast = column == row.count - 1
        line += rightAligned.contains(column) ? space + text : text + (isLast ? "" : space)
        if !isLast { line += "  " }
      }
      return TextWidth.cut(line, to: width)
    }
  }

  /// The lines of several tables with common column widths, each after its
  /// heading.
  ///
  /// - Parameters:
  ///   - sections: The headings, or nil, and the cells of the tables.
  ///   - rightAligned: The indices of right-aligned columns.
  ///   - width: The maximum width of a line in terminal columns, or nil.
  public static func lines(
    of sections: [(heading: String?, rows: [[String]])], rightAligned: Set<Int> = [],
    width: Int? = nil
  ) -> [String] {
    let table = TextTable(
      rows: sections.flatMap(\.rows), rightAligned: rightAligned, width: width)
    var rows = table.lines[...]
    var lines: [String] = []
    for section in sections {
      if let heading = section.heading {
        lines.append(TextWidth.cut(VisibleText.escaped(heading), to: width))
      }
      lines += rows.prefix(section.rows.count)
      rows = rows.dropFirst(section.rows.count)
    }
    return lines
  }
}
