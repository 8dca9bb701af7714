import MohoMapping
import MohoRows

extension PostgresDialect {
  /// Returns the condition that a row has the words of a search.
  func search(
    _ writer: inout SQLWriter, _ path: RowReferencePath, _ search: ResolvedSearch
  ) throws -> String {
    let phrases = IndexedPhrase.phrases(of: search)
    if phrases.isEmpty { return never }
    if writer.searchesByRow {
      let columns = search.keys.map { writer.column($0, of: path) }
      return try hasPhrases(&writer, phrases, columns)
    }
    return
      "\(writer.identity(of: path)) IN (\(try identitiesQuery(&writer, phrases, in: search.index)))"
  }

  /// Returns a query of the identities of the rows that have all phrases.
  ///
  /// The index has no positions of words, and only the beginnings of long words. The second
  /// part reads rows with too many words for the index, which are rare.
  private func identitiesQuery(
    _ writer: inout SQLWriter, _ phrases: [IndexedPhrase], in index: SearchIndex
  ) throws -> String {
    let alias = Self.indexedAlias
    let vector = index.expression(alias)
    let query = try writer.bind(.string(phrases.map(\.query).joined(separator: " & ")))
    let unindexed = phrases.filter { !$0.isIndexed }
    let indexedRows =
      try ["\(vector) @@ (\(query))::tsquery"] + phraseConditions(&writer, unindexed)
    let otherRows =
      try ["\(vector) @@ '\(SearchFunctions.overflow)'::tsquery"]
      + phraseConditions(&writer, phrases)
    return [indexedRows, otherRows].map { conditions in
      "SELECT \(alias).\(quotedName(index.identityColumn)) FROM \(quotedName(index.entity))"
        + " AS \(alias) WHERE \(conditions.joined(separator: " AND "))"
    }.joined(separator: " UNION ALL ")
  }

  /// Returns the conditions that a row of ``identitiesQuery(_:_:in:)`` has all phrases: one for
  /// the phrases that are searched in the same keys.
  private func phraseConditions(
    _ writer: inout SQLWriter, _ phrases: [IndexedPhrase]
  ) throws -> [String] {
    let groups = Dictionary(grouping: phrases, by: \.search.keys)
      .sorted { $0.key.lexicographicallyPrecedes($1.key) }
    return try groups.map { keys, phrases in
      let columns = keys.map { "\(Self.indexedAlias).\(quotedName($0))" }
      return try hasPhrases(&writer, phrases, columns)
    }
  }

  /// Returns the condition that columns of a row have all phrases.
  private func hasPhrases(
    _ writer: inout SQLWriter, _ phrases: [IndexedPhrase], _ columns: [String]
  ) throws -> String {
    let texts = try writer.bind(.array(phrases.map { .string($0.text) }))
    let words = columns.map { ", \(SearchFunctions.words)(\($0))" }
    return "\(SearchFunctions.hasPhrases)(\(texts)\(words.joined()))"
  }

  func searchValue(_ writer: inout SQLWriter, _ value: ResolvedSearchValue) throws -> String {
    let phrases = value.searches.flatMap(IndexedPhrase.phrases)
    let columns = value.index.keys.map { "\(SQLWriter.alias).\(quotedName($0))" }
    switch value.value {
    case .relevance:
      // The tokenizer may know fewer letters than Swift. Then no row is found.
      if phrases.isEmpty { return "NULL::float8" }
      let texts = try writer.bind(.array(phrases.map { .string($0.text) }))
      let keys = try writer.bind(.array(phrases.map { .string($0.keyDigits) }))
      try addStatistics(&writer, value.index, phrases)
      let words = columns.map { "\(SearchFunctions.words)(\($0))" }.joined(separator: ", ")
      return "\(SearchFunctions.relevance)(\(texts), \(keys), \(Self.statisticsAlias).statistics,"
        + " \(words))"
    case .highlight(let start, let end):
      return try excerpt(&writer, phrases, value.position, columns, [start, end], "NULL, NULL")
    case .snippet(let start, let end, let ellipsis, let words):
      return try excerpt(
        &writer, phrases, value.position, columns, [start, end, ellipsis], "\(words)")
    }
  }

  private func excerpt(
    _ writer: inout SQLWriter, _ phrases: [IndexedPhrase], _ position: Int, _ columns: [String],
    _ markers: [String], _ rest: String
  ) throws -> String {
    let column = columns[position]
    let searched = phrases.filter { $0.search.positions.contains(position) }
    let texts =
      try searched.isEmpty
      ? "'{}'::text[]" : writer.bind(.array(searched.map { .string($0.text) }))
    let arguments =
      try [column, "\(SearchFunctions.words)(\(column))", texts]
      + markers.map { try constant(&writer, .string($0)) } + [rest]
    return "\(SearchFunctions.excerpt)(\(arguments.joined(separator: ", ")))"
  }

  /// Adds the numbers that the relevance of all rows depends on to the tables of a query.
  private func addStatistics(
    _ writer: inout SQLWriter, _ index: SearchIndex, _ phrases: [IndexedPhrase]
  ) throws {
    guard writer.sources[0].outermost == nil else { return }
    let alias = Self.indexedAlias
    let identity = "\(alias).\(quotedName(index.identityColumn))"
    let words = index.keys.map { "\(SearchFunctions.words)(\(alias).\(quotedName($0)))" }
    let table = quotedName(index.entity)
    let found = try identitiesQuery(&writer, phrases, in: index)
    var numbers = [
      "(SELECT avg(\(SearchFunctions.wordCount)(\(words.joined(separator: ", "))))::float8"
        + " FROM \(table) AS \(alias) WHERE \(identity) IN (\(found)))",
      "(SELECT count(*)::float8 FROM \(table))",
    ]
    for phrase in phrases {
      let rows = try identitiesQuery(&writer, [phrase], in: index)
      numbers.append("(SELECT count(*)::float8 FROM (\(rows)) AS n)")
    }
    // Without the offset, the numbers would be part of each expression that uses them.
    writer.sources[0].outermost = SQLSource.Outermost(
      table: "(SELECT ARRAY[\(numbers.joined(separator: ", "))] AS statistics OFFSET 0)"
        + " AS \(Self.statisticsAlias) CROSS JOIN ", condition: "")
  }

  /// The alias of the table whose index a subquery reads.
  private static let indexedAlias = "w"

  private static let statisticsAlias = "m"
}

/// Words that must occur next to each other in a searched key, as the server compares them.
private struct IndexedPhrase {
  let search: ResolvedSearch
  private let words: [String]
  private let isPrefix: Bool

  /// The number of words of a phrase that the index finds. The others are read.
  private static let indexedCount = 16

  static func phrases(of search: ResolvedSearch) -> [IndexedPhrase] {
    search.text.phrases(WordTokenizer.shared).map { phrase in
      IndexedPhrase(
        search: search, words: phrase.words.map { String(decoding: $0, as: UTF8.self) },
        isPrefix: phrase.isPrefix)
    }
  }

  /// The text that the words of a searched key contain. See ``SearchFunctions``.
  var text: String { " \(words.joined(separator: " "))\(isPrefix ? "" : " ")" }

  /// A digit for each key of the index, which is 1 if the phrase is searched in it.
  var keyDigits: String {
    search.index.keys.indices.map { search.positions.contains($0) ? "1" : "0" }.joined()
  }

  /// Whether the index finds only rows that have the phrase.
  var isIndexed: Bool {
    words.count == 1 && search.positions.allSatisfy { isWhole(lexeme(words[0], $0)) }
  }

  /// The expression that the index matches.
  var query: String {
    let keys = search.positions.map { position in
      let lexemes = words.prefix(Self.indexedCount).indices.map { index in
        let lexeme = lexeme(words[index], position)
        let isBeginning = isPrefix && index == words.count - 1
        let indexed = String(String.UnicodeScalarView(lexeme.prefix(SearchFunctions.lexemeLength)))
        return "'\(indexed)'\(isBeginning ? ":*" : "")"
      }
      return lexemes.joined(separator: " & ")
    }
    return keys.count == 1 ? keys[0] : "(\(keys.map { "(\($0))" }.joined(separator: " | ")))"
  }

  private func lexeme(_ word: String, _ position: Int) -> String.UnicodeScalarView {
    "\(position).\(word)".unicodeScalars
  }

  private func isWhole(_ lexeme: String.UnicodeScalarView) -> Bool {
    lexeme.count < SearchFunctions.lexemeLength
  }
}
