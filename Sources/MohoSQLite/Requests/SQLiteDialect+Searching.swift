import Foundation
import MohoMapping
import MohoRows

extension SQLiteDialect {
  /// Returns the condition that a row has the words of a search.
  func search(
    _ writer: inout SQLWriter, _ path: RowReferencePath, _ search: ResolvedSearch
  ) throws -> String {
    guard !writer.searchesByRow else {
      let text = try writer.bind(.data(Data(search.text.description.utf8)))
      let columns = search.keys.map { ", CAST(\(writer.column($0, of: path)) AS BLOB)" }
      return "\(SQLFunctionName.search)(\(text)\(columns.joined()))"
    }
    let table = quotedName(search.index.table)
    let expression = try writer.bind(.string(search.expression))
    return
      "\(writer.identity(of: path)) IN (SELECT rowid FROM \(table) WHERE \(table) MATCH \(expression))"
  }

  /// Returns the SQL of a value that the full-text index provides. The index is
  /// the outermost table of the query, because SQLite provides such values only
  /// while it reads the index.
  func searchValue(_ writer: inout SQLWriter, _ value: ResolvedSearchValue) throws -> String {
    let table = quotedName(value.index.table)
    if writer.sources[0].outermost == nil {
      // The words of all searches must occur.
      let expression = try writer.bind(
        .string(value.searches.map(\.expression).joined(separator: " ")))
      writer.sources[0].outermost = SQLSource.Outermost(
        table: "\(table) AS \(Self.searchAlias) CROSS JOIN ",
        condition: " ON \(Self.searchAlias).rowid = \(SQLWriter.alias)."
          + "\(quotedName(value.index.identityColumn))"
          + " AND \(Self.searchAlias).\(table) MATCH \(expression)")
    }
    let column = "\(Self.searchAlias).\(table), \(value.position)"
    switch value.value {
    case .relevance: return "\(Self.searchAlias).rank"
    case .highlight(let start, let end):
      return
        "highlight(\(column), \(try writer.bind(.string(start))), \(try writer.bind(.string(end))))"
    case .snippet(let start, let end, let ellipsis, let words):
      let markers = try [start, end, ellipsis].map { try writer.bind(.string($0)) }
      return "snippet(\(column), \(markers.joined(separator: ", ")), \(words))"
    }
  }

  private static let searchAlias = "s"
}

extension ResolvedSearch {
  /// The expression that FTS5 matches. A word between quotation marks contains no operators.
  fileprivate var expression: String {
    let columns =
      positions.count == index.keys.count
      ? "" : "{\(positions.map { SearchIndex.column($0) }.joined(separator: " "))} : "
    return text.terms.map { "\(columns)\"\($0.text)\"\($0.isPrefix ? " *" : "")" }
      .joined(separator: " ")
  }
}
