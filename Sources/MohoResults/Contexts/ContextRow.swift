import MohoMapping
import MohoRows

/// A row with its content in a context, and the values that determine its position
/// in a result.
struct ContextRow: Sendable {
  let identity: RowIdentity

  /// The values for the keys of the result's models, or the error that prevents
  /// reading them. While a row is edited, it may contain itself or be linked to
  /// a row that has been deleted elsewhere.
  let contents: Result<[FieldContent?], any Error>

  /// The values to sort the row by. The last one is the ID, which is null for a
  /// row that has not been saved.
  let sortValues: [FieldContent]

  /// The section key, if the result has sections.
  let section: FieldContent

  /// The values that summaries are computed from, without the section key.
  let summaryValues: [FieldContent]

  /// The position among rows with equal sort values.
  let rank: Rank

  /// The rank of a row among rows with equal sort values. Rows of parent
  /// contexts precede rows of child contexts. The rows of one context are in
  /// creation order.
  struct Rank: Comparable {
    /// The number of ancestors between the context of the result and the
    /// context of the row.
    let level: Int
    let key: RowIdentity.Key

    static func < (one: Self, other: Self) -> Bool {
      one.level == other.level ? one.key < other.key : one.level > other.level
    }
  }

  /// Returns whether both rows have the same values for all orderings.
  func hasPosition(of other: ContextRow) -> Bool {
    sortValues == other.sortValues
  }

  /// Returns the names of the keys whose values differ in a later state of the
  /// row.
  func changedKeys(to later: ContextRow, keys: [FieldKey]) -> [String] {
    let isDifferent: (Int) -> Bool
    switch (contents, later.contents) {
    case (.success(let old), .success(let new)):
      isDifferent = { index in
        switch (old[index], new[index]) {
        case (nil, nil): false
        case (let old?, let new?): old != new
        default: true
        }
      }
    case (.failure, .failure): return []
    default: isDifferent = { _ in true }
    }
    return keys.indices.filter { keys[$0].isStored && isDifferent($0) }.map { keys[$0].name }
  }
}
