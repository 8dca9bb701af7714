public import MohoMapping

extension ModelKeys {
  /// A filter that matches rows whose searchable keys contain all words of a
  /// text.
  ///
  /// ```swift
  /// request.filter { $0.matches("moon landing") }
  /// request.filter { $0.matches(searchField.text, in: \.title, lastWord: .prefix) }
  /// ```
  ///
  /// The store finds the rows in its full-text index. ``SearchText`` describes
  /// the text. The keys have the trait `.searchable`.
  ///
  /// - Parameters:
  ///   - text: The words to search for. Any text is valid.
  ///   - keyPaths: The keys to search. By default, all searchable keys.
  ///   - lastWord: The way to match the last word.
  public func matches(
    _ text: String, in keyPaths: PartialKeyPath<Model>..., lastWord: SearchText.LastWord = .whole
  ) -> Filter {
    search(SearchText(text, lastWord: lastWord), in: keyPaths)
  }

  /// A filter that matches rows whose searchable keys contain all words of a
  /// text.
  public func matches(_ text: SearchText, in keyPaths: PartialKeyPath<Model>...) -> Filter {
    search(text, in: keyPaths)
  }

  fileprivate func search(_ text: SearchText, in keyPaths: [PartialKeyPath<Model>]) -> Filter {
    .search(row, text, in: keyPaths.map { row.appending($0, of: Model.self) })
  }

  /// A number that says how well a row matches the searches of the request. The
  /// smaller, the better. See ``Ordering/relevance``.
  public var relevance: ModelKey<Double> { .init(.search(row, .relevance)) }
}

extension ModelKey where Value: RelatedValue {
  /// A filter that matches rows whose related row contains all words of a text
  /// in its searchable keys. See ``ModelKeys/matches(_:in:lastWord:)``.
  public func matches(
    _ text: String, in keyPaths: PartialKeyPath<Value.RelatedModel>...,
    lastWord: SearchText.LastWord = .whole
  ) -> Filter {
    ModelKeys<Value.RelatedModel>(name).search(SearchText(text, lastWord: lastWord), in: keyPaths)
  }
}

extension RowKeys {
  /// A filter that matches rows whose searchable keys contain all words of a
  /// text. See ``ModelKeys/matches(_:in:lastWord:)``.
  public func matches(
    _ text: String, in keys: String..., lastWord: SearchText.LastWord = .whole
  ) -> Filter {
    .search(row, SearchText(text, lastWord: lastWord), in: keys.map { row.appending($0) })
  }

  /// A number that says how well a row matches the searches of the request. See
  /// ``ModelKeys/relevance``.
  public var relevance: RowKey { RowKey(.search(row, .relevance)) }
}

extension Ordering {
  /// An ordering that starts with the rows that match the searches of the
  /// request best.
  ///
  /// ```swift
  /// request.filter { $0.matches(text) }.order(by: .relevance)
  /// ```
  ///
  /// The relevance is FTS5's `bm25`: rows with many of the words, with words
  /// that few other rows have, and with short texts come first. It takes the
  /// texts of all rows of the entity into account. Therefore, a result in this
  /// order is read again when a searchable key of any row changes. On
  /// PostgreSQL, the average length of texts is that of the rows that are found.
  ///
  /// Executing the request throws a ``StoreError`` if it has no `matches`
  /// condition for its own rows that all of them satisfy, and in a context if
  /// rows of the entity have unsaved changes. If the texts of these conditions
  /// have no words, the ordering has no effect.
  public static let relevance = Ordering(.search(KeyName([]), .relevance))
}

extension ModelKey where Value: TextValue {
  /// The text of a searchable key, with markers around the words that match the
  /// searches of the request.
  ///
  /// ```swift
  /// try store.fetchValues(request) { [$0.id, $0.title.highlighted("<b>", "</b>")] }
  /// ```
  ///
  /// The value is nil if the key is nil, or if the texts of the searches have no
  /// words. The text is not escaped: choose markers that it does not contain.
  public func highlighted(_ start: String, _ end: String) -> ModelKey<String?> {
    .init(operand.highlighted(start, end))
  }

  /// The part of a searchable key's text that contains the most words that match
  /// the searches of the request, with markers around these words.
  ///
  /// ```swift
  /// try store.fetchValues(request) { [$0.id, $0.summary.snippet("<b>", "</b>", words: 12)] }
  /// ```
  ///
  /// If no word of the key matches, the snippet is the beginning of the text.
  /// The value is nil if the key is nil, or if the texts of the searches have no
  /// words.
  ///
  /// - Parameters:
  ///   - start: The text before a word that matches. The snippet is not escaped:
  ///     choose markers that the text does not contain.
  ///   - end: The text after a word that matches.
  ///   - ellipsis: The text for omitted parts at the start and at the end.
  ///   - words: The approximate number of words, at most 64.
  public func snippet(
    _ start: String, _ end: String, ellipsis: String = "…", words: Int = 16
  ) -> ModelKey<String?> {
    .init(operand.snippet(start, end, ellipsis, words))
  }
}

extension RowKey {
  /// The text of a searchable key, with markers around the words that match. See
  /// ``ModelKey/highlighted(_:_:)``.
  public func highlighted(_ start: String, _ end: String) -> RowKey {
    RowKey(operand.highlighted(start, end))
  }

  /// The part of a searchable key's text that contains the most words that
  /// match. See ``ModelKey/snippet(_:_:ellipsis:words:)``.
  public func snippet(
    _ start: String, _ end: String, ellipsis: String = "…", words: Int = 16
  ) -> RowKey {
    RowKey(operand.snippet(start, end, ellipsis, words))
  }
}

extension Operand {
  fileprivate func highlighted(_ start: String, _ end: String) -> Operand {
    search(.highlight(start: start, end: end))
  }

  fileprivate func snippet(
    _ start: String, _ end: String, _ ellipsis: String, _ words: Int
  ) -> Operand {
    search(.snippet(start: start, end: end, ellipsis: ellipsis, words: words))
  }

  private func search(_ value: SearchValue) -> Operand {
    guard case .key(let name) = kind else {
      return .invalid("`\(self)` is a calculated value, and not a searchable key")
    }
    return .search(name, value)
  }
}
