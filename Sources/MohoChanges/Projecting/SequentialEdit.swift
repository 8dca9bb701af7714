/// One step of a change, for views that apply each step immediately.
///
/// `NSTableView`, `RecyclerView` and the models of Qt are such views. The paths
/// of a step refer to the list after the previous step. Only `new` is always in
/// new space. Use it to get the data for a cell.
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
///   case .reconfigureSection(let section, _): configure(view.header(of: section))
///   }
/// }
/// ```
public enum SequentialEdit: Hashable, Sendable {
  /// A row is deleted.
  case deleteRow(RowPath)
  /// An empty section is inserted.
  case insertSection(Int, SectionKey)
  /// A row is inserted at a path. `new` is its path in new space.
  case insertRow(RowPath, new: RowPath)
  /// A row is removed at `from` and inserted at `to`. `to` is a path in the
  /// list without the row.
  case moveRow(from: RowPath, to: RowPath)
  /// A section is deleted. It has no rows at this point.
  case deleteSection(Int)
  /// The cell of a row receives new content. The keys are the changed keys, in
  /// declaration order.
  ///
  /// When these steps come, each row is at its path in new space.
  case reconfigureRow(RowPath, changedKeys: [String])
  /// The header of a section receives a new summary. The keys are the names of the
  /// changed values.
  ///
  /// These steps come last, when each section is at its index in new space.
  case reconfigureSection(Int, changedKeys: [String])
}
