import MohoRows

extension SearchIndex {
  /// The name of the index on the entity's table.
  var name: String { PostgresName.index(table) }

  /// Returns the expression that is indexed: the lexemes of the searchable keys.
  ///
  /// - Parameter alias: The alias of the entity's table, or nil in the definition.
  func expression(_ alias: String? = nil) -> String {
    let words = keys.map { key in
      "\(SearchFunctions.words)(\(alias.map { "\($0)." } ?? "")\(quotedName(key)))"
    }
    return "\(SearchFunctions.vector)(\(words.joined(separator: ", ")))"
  }

  /// The step that builds the index. Its functions must exist.
  var building: MigrationStep {
    MigrationStep(
      "build the search index of `\(entity)`",
      StoredSearchIndex(
        name: name, expression: expression(), version: SearchFunctions.indexVersion
      ).creation(on: entity))
  }
}

/// A full-text index in a database.
struct StoredSearchIndex: Sendable, Hashable {
  var name: String
  /// The expression in the form of the system catalog.
  var expression: String
  /// The version of the functions that have computed the index, or nil if it is not valid.
  var version: String?

  /// Whether the index is that of the declaration.
  func matches(_ index: SearchIndex) -> Bool {
    name == index.name && version == SearchFunctions.indexVersion
      && Self.comparable(expression) == Self.comparable(index.expression())
  }

  /// The system catalog omits quotation marks that a name does not need.
  private static func comparable(_ expression: String) -> String {
    expression.replacing("(VARIADIC ARRAY[", with: "(").replacing("])", with: ")")
      .replacing("\"", with: "")
  }

  /// Renames a column of the table.
  mutating func rename(_ old: String, to new: String) {
    for name in [old, quotedName(old)] {
      expression = expression.replacing(
        "\(SearchFunctions.words)(\(name))", with: "\(SearchFunctions.words)(\(quotedName(new)))")
    }
  }

  /// The statements that create the index.
  func creation(on table: String) -> [String] {
    [
      "CREATE INDEX \(quotedName(name)) ON \(quotedName(table)) USING gin (\(expression))",
      "COMMENT ON INDEX \(quotedName(name)) IS \(quotedText(version ?? ""))",
    ]
  }
}
