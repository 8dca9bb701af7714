package import MohoMapping

/// A row as a context has it, with what says where it belongs in a result.
package struct ContextRow: Sendable {
  /// Which row it is.
  package let identity: RowIdentity

  /// What it has at each key of the result's models, or why that cannot be
  /// told: a row may be inside of itself for as long as it is edited, or linked
  /// to one that others have deleted.
  package let contents: Result<[FieldContent?], any Error>

  /// The values by which it is ordered, the identity last: null of a row that is
  /// not saved.
  let sortValues: [FieldContent]

  /// The place among rows that are equal in those values.
  let rank: Rank

  /// Rows of ancestors stand before those of their children, and rows of one
  /// context in the order in which they were made.
  struct Rank: Comparable {
    /// How many parents up the context is.
    let level: Int
    let key: RowIdentity.Key

    static func < (one: Self, other: Self) -> Bool {
      one.level == other.level ? one.key < other.key : one.level > other.level
    }
  }

  /// Whether two rows are ordered by the same values.
  package func isPlaced(as other: ContextRow) -> Bool {
    zip(sortValues, other.sortValues).allSatisfy { $0.isSame(as: $1) }
  }

  /// The names of the keys that have other values in a later state of the row.
  package func changedKeys(to later: ContextRow, keys: [MappingKey]) -> [String] {
    let isDifferent: (Int) -> Bool
    switch (contents, later.contents) {
    case (.success(let old), .success(let new)):
      isDifferent = { index in
        switch (old[index], new[index]) {
        case (nil, nil): false
        case (let old?, let new?): !old.isSame(as: new)
        default: true
        }
      }
    case (.failure, .failure): return []
    default: isDifferent = { _ in true }
    }
    return keys.indices.filter { keys[$0].isStored && isDifferent($0) }.map { keys[$0].name }
  }
}
