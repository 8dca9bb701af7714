import Moho

/// The selected row of a list.
struct Selection: Hashable {
  /// The row, or nil in an empty list.
  var rowID: Int64?
  /// The position of the row.
  var position = 0
  /// The row that the user selected. It is selected again when a search shows
  /// it again.
  var chosen: Int64?
  /// A row to select as soon as it is in the list.
  var awaited: Int64?
}

extension WatchState {
  /// Selects the row at a position, or the row closest to it.
  mutating func select(_ position: Int) {
    let position = max(0, min(position, snapshot.count - 1))
    selection.position = position
    selection.rowID = snapshot.isEmpty ? nil : snapshot.index.rowIDs[position]
    selection.chosen = selection.rowID
    selection.awaited = nil
  }

  /// Selects the same row after an update; a neighbor if the row was deleted.
  mutating func reselect(from old: OrderedIndex, isNewSearch: Bool) {
    let index = snapshot.index
    if let awaited = selection.awaited, let position = index.position(of: awaited) {
      return select(position)
    }
    for rowID in [selection.chosen, selection.rowID].compactMap({ $0 }) {
      guard let position = index.position(of: rowID) else { continue }
      selection.rowID = rowID
      selection.position = position
      return
    }
    let chosen = selection.chosen
    select(neighbor(of: selection.position, in: old) ?? (isNewSearch ? 0 : selection.position))
    if isNewSearch { selection.chosen = chosen }
  }

  /// The current position of the closest neighbor of an old position.
  private func neighbor(of position: Int, in old: OrderedIndex) -> Int? {
    let distance = 200
    let below = position..<max(position, min(position + distance, old.count))
    let above = (max(0, position - distance)..<position).reversed()
    for oldPosition in Array(below) + above where oldPosition < old.count {
      if let position = snapshot.index.position(of: old.rowIDs[oldPosition]) { return position }
    }
    return nil
  }

  /// Selects a row now, or as soon as it is in the list.
  mutating func selectWhenPresent(_ rowID: Int64?) {
    guard let rowID, rowID != selection.rowID else { return }
    if let position = snapshot.index.position(of: rowID) {
      select(position)
    } else {
      selection.awaited = rowID
    }
  }

  /// Moves the selection by a number of rows. Scrolling keeps the selection on
  /// the same line of the screen.
  mutating func moveSelection(by count: Int, scrolls: Bool = false) {
    let line = window.line(of: selection.position, from: top, count: listHeight)
    select(selection.position + count)
    if scrolls, let line { top = window.top(showing: selection.position, atLine: line) }
  }
}
