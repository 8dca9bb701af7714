/// A touched row and where it stands in two lists.
struct TouchedRow {
  let rowID: Int64
  /// In old space.
  let old: RowPath?
  /// In new space.
  let new: RowPath?
  /// In declaration order.
  let changedKeys: [String]
}
