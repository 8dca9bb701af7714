import Foundation
import MohoMapping

extension SQLWriter {
  /// Returns the condition that a row has the words of a search.
  mutating func search(_ path: RowReferencePath, _ search: ResolvedSearch) throws -> String {
    if search.text.isEmpty { return "(\(identity(of: path)) IS NOT NULL)" }
    guard !searchesByRow else {
      let text = try bind(.data(Data(search.text.description.utf8)))
      let columns = search.keys.map { ", CAST(\(column($0, of: path)) AS BLOB)" }
      return "\(SQLFunctionName.search)(\(text)\(columns.joined()))"
    }
    let table = quotedName(search.index.table)
    let expression = try bind(.string(search.expression))
    return
      "\(identity(of: path)) IN (SELECT rowid FROM \(table) WHERE \(table) MATCH \(expression))"
  }

  /// Returns the SQL of a value that the full-text index provides. The index is
  /// the outermost table of the query, because SQLite provides such values only
  /// while it reads the index.
  mutating func searchValue(_ value: ResolvedSearchValue) throws -> String {
    let table = quotedName(value.index.table)
    if sources[0].search == nil {
      // The words of all searches must occur.
      let expression = try bind(
        .string(value.searches.map(\.expression).joined(separator: " ")))
      sources[0].search = SQLSource.Search(
        table: "\(table) AS \(SQLSource.Search.alias) CROSS JOIN ",
        condition: " ON \(SQLSource.Search.alias).rowid = \(Self.alias)."
          + "\(quotedName(value.index.identityColumn))"
          + " AND \(SQLSource.Search.alias).\(table) MATCH \(expression)")
    }
    let column = "\(SQLSource.Search.alias).\(table), \(value.position)"
    switch value.value {
    case .relevance: return "\(SQLSource.Search.alias).rank"
    case .highlight(let start, let end):
      return "highlight(\(column), \(try bind(.string(start))), \(try bind(.string(end))))"
    case .snippet(let start, let end, let ellipsis, let words):
      let markers = try [start, end, ellipsis].map { try bind(.string($0)) }
      return "snippet(\(column), \(markers.joined(separator: ", ")), \(words))"
    }
  }
}

extension SQLSource {
  /// The join of a full-text index.
  struct Search {
    /// The index, before the table.
    let table: String
    /// The condition of the join, after the table.
    let condition: String

    static let alias = "s"
  }
}
