/// Which row of a list is selected.
struct Selection: Hashable {
  /// The row, or nil where there are none.
  var rowID: Int64?
  /// Where it stands.
  var position = 0
  /// The row that somebody chose: it is selected again once a search shows it
  /// again.
  var chosen: Int64?
  /// A row that is to be selected as soon as it is there.
  var awaited: Int64?
}
