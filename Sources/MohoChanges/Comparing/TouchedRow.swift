/// A touched row and its paths in two lists.
struct TouchedRow {
  let rowID: Int64
  /// The path in old space, or `nil` if the row was inserted.
  let old: RowPath?
  /// The path in new space, or `nil` if the row was deleted.
  let new: RowPath?
  /// The names of the changed keys, in declaration order.
  let changedKeys: [String]
}
