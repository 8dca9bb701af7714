import MohoMapping

/// Rows of an entity that have the same values for keys which are declared as unique now.
package struct StoredDuplicates {
  /// The text of one of the values, separated by commas if there are several keys.
  package let example: String
  /// The number of rows with this value.
  package let rows: Int
  /// The number of values that several rows have.
  package let values: Int

  package init(example: String, rows: Int, values: Int) {
    self.example = example
    self.rows = rows
    self.values = values
  }
}

extension ComparedSchema {
  /// Throws an error if stored rows have the same values for keys that became unique.
  ///
  /// - Parameter find: Runs a query that returns an example as text, its number of rows, and
  ///   the number of values that occur several times. Nil if it returns no row.
  /// - Complexity: One query for each unique key that the store does not have.
  package func checkDuplicates(_ find: (String) throws -> StoredDuplicates?) throws {
    for difference in differences {
      guard case .becameUnique(let keys) = difference.change,
        let columns = valueColumns(of: keys, in: difference.entity)
      else { continue }
      let entity = difference.entity
      let present = columns.map { "\($0) IS NOT NULL" }.joined(separator: " AND ")
      let text = columns.map { "CAST(\($0) AS TEXT)" }.joined(separator: " || ', ' || ")
      let found = try find(
        """
        WITH duplicates AS (
          SELECT \(text) AS example, count(*) AS number FROM \(quotedName(entity))
          WHERE \(present) GROUP BY \(columns.joined(separator: ", ")) HAVING count(*) > 1)
        SELECT example, number, (SELECT count(*) FROM duplicates)
        FROM duplicates ORDER BY number DESC, example LIMIT 1
        """)
      if let found { throw StoreError(found, of: keys, in: entity, differences) }
    }
  }

  /// Returns the quoted columns with the values of keys. Nil if the store does not have all of
  /// them, or if they have not yet been renamed.
  private func valueColumns(of keys: [String], in entity: String) -> [String]? {
    let isRenamed = differences.contains { other in
      if case .renamed = other.change { isEqualIgnoringCase(other.entity, entity) } else { false }
    }
    let columns = keys.compactMap { valueColumn(of: $0, in: entity) }
    return isRenamed || columns.count < keys.count ? nil : columns.map(quotedName)
  }
}

extension StoreError {
  fileprivate init(
    _ duplicates: StoredDuplicates, of keys: [String], in entity: String,
    _ differences: [SchemaDifference]
  ) {
    let names = keys.map { "`\(entity).\($0)`" }.joined(separator: ", ")
    let count =
      duplicates.values == 1
      ? "a value occurs" : "\(duplicates.values) values occur"
    self.init(
      .notUnique, entity: entity, keys: keys,
      reason: "\(names) \(keys.count == 1 ? "is" : "are") not unique in the store: \(count) several"
        + " times, such as \(quoted(duplicates.example)) in \(duplicates.rows) rows",
      suggestion: "declare a migration that changes or deletes these rows")
    self.differences = differences
  }
}
