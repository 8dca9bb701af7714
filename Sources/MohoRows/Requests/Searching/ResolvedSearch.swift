import MohoMapping

/// A search text and the searchable keys to find it in, found in a schema.
package struct ResolvedSearch: Sendable {
  package let text: SearchText
  package let index: SearchIndex
  /// The indexes of the searched keys among the keys of the index.
  package let positions: [Int]
  /// Nil if the request is not evaluated in memory.
  let matcher: SearchMatcher?

  /// The names of the searched keys.
  package var keys: [String] { positions.map { index.keys[$0] } }
}

/// A value that a full-text index provides for each row that it finds.
package enum SearchValue: Sendable, Hashable {
  /// A number that is smaller for rows that match better.
  case relevance
  /// The text of a key, with markers around the words that match.
  case highlight(start: String, end: String)
  /// The part of a key's text with the most words that match.
  case snippet(start: String, end: String, ellipsis: String, words: Int)

  /// The number of words that a snippet can have.
  static let wordCount = 1...64
}

/// A value of a full-text index, for the rows that all of the searches find.
package struct ResolvedSearchValue: Sendable {
  package let value: SearchValue
  package let index: SearchIndex
  /// The index of the key among the keys of the index.
  package let position: Int
  package let searches: [ResolvedSearch]
}

extension ResolvedOperand {
  /// Whether the value depends on the texts of other rows of the entity.
  package var readsRelevance: Bool { searchValues.contains { $0.value == .relevance } }

  /// Whether only the full-text index of a store can provide the value.
  var needsIndex: Bool { !searchValues.isEmpty }

  /// The values of full-text indexes that the value is computed from.
  private var searchValues: [ResolvedSearchValue] {
    switch self {
    case .search(let search): [search]
    case .arithmetic(let left, _, let right, _): left.searchValues + right.searchValues
    case .indexLetter(let text, _), .filtered(let text, _): text.searchValues
    case .value, .nested, .identity, .constant, .count: []
    }
  }
}

extension Resolver {
  mutating func search(
    _ name: KeyName, _ text: SearchText, in keys: [KeyName]
  ) -> ResolvedFilter {
    guard case .row(let path) = resolveKey(name) else {
      if name.problem == nil { issues.append("`\(self.name(name))` does not refer to a row") }
      return .never
    }
    guard let index = SearchIndex(path.entity) else {
      issues.append(
        "`\(path.entity.name)` has no searchable keys: declare keys with `.searchable`")
      return .never
    }
    var positions: [Int] = []
    for key in keys {
      guard let position = position(of: key, in: index) else { return .never }
      positions.append(position)
    }
    let count = text.wordCount
    if count > SearchText.maximumWordCount {
      issues.append(
        "a search text has \(count) words in phrases, expected at most "
          + "\(SearchText.maximumWordCount)")
      return .never
    }
    let searched = keys.isEmpty ? Array(index.keys.indices) : Array(Set(positions)).sorted()
    return .search(
      path,
      ResolvedSearch(
        text: text, index: index, positions: searched,
        matcher: tokenizer.map { SearchMatcher(text, $0) }))
  }

  /// Returns the index of a searchable key. Adds an issue if the key is not
  /// searchable.
  private mutating func position(of name: KeyName, in index: SearchIndex) -> Int? {
    guard let key = resolveKey(name) else { return nil }
    if case .attribute(let path, let attribute) = key, path.entity.name == index.entity,
      let position = index.keys.firstIndex(of: attribute.name)
    {
      return position
    }
    issues.append("`\(self.name(name))` is not searchable: declare it with `.searchable`")
    return nil
  }

  mutating func searchValue(_ name: KeyName, _ value: SearchValue) -> ResolvedOperand {
    let operand = Operand.search(name, value)
    guard entities.count == 1, let first = searches.first else {
      issues.append(
        "`\(operand)` requires a `matches` condition that all rows of the request satisfy")
      return .constant(.null)
    }
    var position = 0
    if value != .relevance {
      guard let found = self.position(of: name, in: first.index) else { return .constant(.null) }
      position = found
    }
    if case .snippet(_, _, _, let words) = value, !SearchValue.wordCount.contains(words) {
      issues.append("a snippet has 1 to 64 words, not \(words)")
    }
    let found = searches.filter { !$0.text.isEmpty }
    if found.isEmpty { return .constant(.null) }
    return .search(
      ResolvedSearchValue(value: value, index: first.index, position: position, searches: found))
  }
}

extension ResolvedFilter {
  /// The searches that all rows of the request satisfy.
  var requiredSearches: [ResolvedSearch] {
    conjuncts.compactMap { condition in
      guard case .search(let path, let search) = condition, path.level == 0, path.steps.isEmpty
      else { return nil }
      return search
    }
  }
}
