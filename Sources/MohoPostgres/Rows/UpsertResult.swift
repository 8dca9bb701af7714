import MohoRows

/// The outcomes and the identities of the rows that an ``UpsertSQL`` has saved.
struct UpsertResult {
  private(set) var outcomes: [SaveOutcome]
  private(set) var identities: [Int64]

  var insertedCount: Int { outcomes.count { $0 == .inserted } }
  var updatedCount: Int { outcomes.count { $0 == .updated } }

  /// Runs a statement that returns the rows.
  ///
  /// - Parameters:
  ///   - count: The number of rows.
  ///   - knownIdentities: The identities of the rows, if their unique key is
  ///     their identity.
  init(
    _ connection: PostgresConnection, _ query: PostgresQuery, count: Int,
    knownIdentities: [Int64]? = nil
  ) throws {
    outcomes = Array(repeating: .unchanged, count: count)
    identities = knownIdentities ?? Array(repeating: 0, count: count)
    var inserted: Set<Int64> = []
    var isDone = false
    while !isDone {
      let result = try connection.query(query)
      var isFound = Array(repeating: false, count: count)
      var new: [Int64] = []
      var (changedCount, updatedCount) = (0, 0)
      for row in result.rows {
        switch UpsertSQL.Row(rawValue: row.int64(0)) {
        case .unchanged, .changed:
          let index = Int(row.int64(1)) - 1
          isFound[index] = true
          identities[index] = row.int64(2)
          if inserted.contains(row.int64(2)) { outcomes[index] = .inserted }
          if row.int64(0) == UpsertSQL.Row.changed.rawValue { changedCount += 1 }
        case .inserted: new.append(row.int64(2))
        case .updated:
          outcomes[Int(row.int64(1)) - 1] = .updated
          updatedCount += 1
        case nil: break
        }
      }
      let missing = isFound.indices.filter { !isFound[$0] }
      isDone = new.count == missing.count && changedCount == updatedCount
      // Another transaction has inserted or deleted rows in the meantime.
      if !isDone { inserted.formUnion(new) }
      guard isDone else { continue }
      for index in missing { outcomes[index] = .inserted }
      if knownIdentities == nil {
        // New identities ascend in the order of the rows.
        for (index, id) in zip(missing, new.sorted()) { identities[index] = id }
      }
    }
  }
}
