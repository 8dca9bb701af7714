import MohoRows

extension Schema {
  /// Throws an error if there are searchable keys, which stores on PostgreSQL cannot search.
  func checkSearch() throws {
    let indexes = compiled.searchIndexes
    guard let first = indexes.first else { return }
    let names = indexes.flatMap { index in index.keys.map { "`\(index.entity).\($0)`" } }
    let subject = names.joined(separator: ", ") + (names.count == 1 ? " is" : " are")
    throw StoreError(
      searching: "\(subject) searchable, but stores on PostgreSQL have no full-text indexes",
      entity: first.entity, keys: first.keys,
      suggestion: "remove `.searchable`, or set `PostgresConfiguration.ignoresSearchableKeys` to"
        + " use the declarations without search")
  }
}

extension StoreError {
  /// The error of a request that searches.
  static var noSearch: StoreError {
    StoreError(
      searching: "stores on PostgreSQL have no full-text indexes",
      suggestion: "use a condition on the keys, such as `contains`")
  }

  fileprivate init(
    searching reason: String, entity: String? = nil, keys: [String] = [], suggestion: String
  ) {
    self.init(
      .searchUnavailable, entity: entity, keys: keys, reason: reason, suggestion: suggestion)
  }
}
