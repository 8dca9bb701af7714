/// The link columns of a row that refer to deleted rows.
///
/// The store clears them when the rows are deleted. This is not an edit, so it
/// never causes a conflict.
package struct ClearedLinks: Sendable {
  /// The indexes of the columns.
  let columns: [Int]
  /// The indexes of those columns whose links were edited.
  let edited: Set<Int>

  static let none = ClearedLinks(columns: [], edited: [])

  /// Removes differences from the store that delete rules make. A link that another writer
  /// has changed replaces the cleared one.
  func settle(_ old: inout [CellValue], _ mine: inout [CellValue], with theirs: [CellValue]) {
    for column in columns {
      let isCleared = theirs[column].isNull || theirs[column] == old[column]
      if !isCleared && edited.contains(column) { continue }
      old[column] = theirs[column]
      if !isCleared { mine[column] = theirs[column] }
    }
  }

  /// Removes differences from the store that delete rules make, if the row itself is deleted.
  /// Other links remain different: perhaps the row is deleted only because of the former one.
  ///
  /// - Parameter isStored: Whether a row is in the store.
  func settleDeletion(
    _ old: inout [CellValue], with theirs: [CellValue], isStored: (RowIdentity) -> Bool
  ) {
    for column in columns where theirs[column].isNull {
      if case .row(let target?) = old[column], isStored(target) { continue }
      old[column] = theirs[column]
    }
  }
}

extension ContextGraph {
  func clearedLinks(of row: Int) -> ClearedLinks {
    let slots = clearedSlots(of: row)
    if slots.isEmpty { return .none }
    let count = entity(of: row).attributes.count
    return ClearedLinks(
      columns: slots.map { $0 + count }, edited: Set(changedTargets(of: row).map { $0 + count }))
  }
}
