import MohoChanges
import MohoTesting

extension OrderedIndex {
  /// Creates an index from its notation: `"A: 1 2 | B: 3"` has two sections,
  /// `"1 2 3"` is unsectioned.
  init(_ notation: String) throws {
    var builder = Builder(sectioned: notation.contains(":"))
    for section in notation.split(separator: "|") {
      let parts = section.split(separator: ":")
      let key = parts.count > 1 ? parts[0].filter { $0 != " " } : ""
      for rowID in (parts.last ?? "").split(separator: " ").compactMap({ Int64($0) }) {
        try builder.append(rowID, section: .text(String(key)))
      }
    }
    self = builder.finish()
  }

  var notation: String {
    (0..<sectionCount).map { section in
      let rows = rowIDs(inSection: section).map(String.init).joined(separator: " ")
      return isSectioned ? "\(sectionKeys[section].name): \(rows)" : rows
    }
    .joined(separator: " | ")
  }

  var rows: [[Int64]] {
    (0..<sectionCount).map { Array(rowIDs(inSection: $0)) }
  }
}

extension SimulatedTable<String>.Rows {
  /// Creates rows from their notation: `"1 2* | 3"` has two sections. The text
  /// of a row, including its asterisk, is its content.
  init(_ notation: String) {
    self.init(
      sections: notation.split(separator: "|", omittingEmptySubsequences: false).map { section in
        section.split(separator: " ").map { row in
          SimulatedTable<String>.Row(id: Int64(row.filter(\.isNumber)) ?? 0, content: String(row))
        }
      })
  }
}

extension RowPath {
  init(_ section: Int, _ row: Int) {
    self.init(section: section, row: row)
  }
}

extension TableOperations {
  init(_ fill: (inout TableOperations) -> Void) {
    self.init()
    fill(&self)
  }
}
