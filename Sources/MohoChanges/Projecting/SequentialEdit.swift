/// One step of a change, for views that carry out each step at once.
///
/// `NSTableView`, `RecyclerView` and Qt's models work so: the path of a step is
/// one in the list that the step before left. Only `new` is always in new
/// space: where the data is that a cell is to show.
///
/// ```swift
/// for edit in changes.sequentialEdits(from: before, to: after) {
///   switch edit {
///   case .deleteRow(let path): view.removeRow(at: path)
///   case .insertRow(let path, let new): view.insertRow(episodes[new], at: path)
///   case .moveRow(let from, let to): view.moveRow(at: from, to: to)
///   case .reconfigureRow(let path, _): configure(view.row(at: path), with: episodes[path])
///   case .insertSection(let section, let key): view.insertSection(key.name, at: section)
///   case .deleteSection(let section): view.removeSection(at: section)
///   }
/// }
/// ```
public enum SequentialEdit: Hashable, Sendable {
  /// A row leaves.
  case deleteRow(RowPath)
  /// A section comes, without rows.
  case insertSection(Int, SectionKey)
  /// A row comes to stand at a path. The last path is its place in new space.
  case insertRow(RowPath, new: RowPath)
  /// A row is taken out at `from` and put in at `to`; `to` is counted without
  /// the row.
  case moveRow(from: RowPath, to: RowPath)
  /// A section goes. It has no rows any more.
  case deleteSection(Int)
  /// The cell of a row stays and is given new content. The keys are those that
  /// changed, in declaration order.
  ///
  /// These come last, when each row is in its place in new space.
  case reconfigureRow(RowPath, changedKeys: [String])
}
