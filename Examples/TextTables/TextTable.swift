/// Rows of text in aligned columns. Unsafe characters are escaped; see
/// ``VisibleText``.
public struct TextTable: Sendable {
  let rows: [[String]]
  let rightAligned: Set<Int>
  let width: Int?
  let columnWidths: [Int]

  /// Creates a table.
  ///
  /// - Parameters:
  ///   - rows: The cells, row by row.
  ///   - rightAligned: The indices of right-aligned columns.
  ///   - width: The maximum width of a line in terminal columns, or nil.
  public init(rows: [[String]], rightAligned: Set<Int> = [], width: Int? = nil) {
    self.init(rows, rightAligned, width, minimumWidths: [])
  }

  /// - Parameter minimumWidths: The minimum widths of the first columns.
  private init(
    _ rows: [[String]], _ rightAligned: Set<Int>, _ width: Int?, minimumWidths: [Int]
  ) {
    self.rows = rows.map { $0.map(VisibleText.escaped) }
    self.rightAligned = rightAligned
    self.width = width
    var widths = minimumWidths
    for row in self.rows {
      for (column, text) in row.enumerated() {
        if column == widths.count { widths.append(0) }
        widths[column] = max(widths[column], TextWidth.of(text))
      }
    }
    columnWidths = widths
  }

  /// A line for each row. Columns that are empty in all rows are omitted. The
  /// last column is not padded.
  public var lines: [String] {
    rows.map { cells in
      var row = cells
      while row.last?.isEmpty == true { row.removeLast() }
      var line = ""
      for (column, text) in row.enumerated() where columnWidths[column] > 0 {
        let space = String(repeating: " ", count: columnWidths[column] - TextWidth.of(text))
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
    var columnWidths: [Int] = []
    return lines(
      of: sections, rightAligned: rightAligned, width: width, columnWidths: &columnWidths)
  }

  /// The lines of a part of several tables, for output that is too long to be in
  /// memory at once.
  ///
  /// - Parameter columnWidths: The column widths of the parts before; empty for
  ///   the first one. They grow if this part is wider.
  public static func lines(
    of sections: [(heading: String?, rows: [[String]])], rightAligned: Set<Int> = [],
    width: Int? = nil, columnWidths: inout [Int]
  ) -> [String] {
    let table = TextTable(
      sections.flatMap(\.rows), rightAligned, width, minimumWidths: columnWidths)
    columnWidths = table.columnWidths
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
