import Moho

extension WatchState {
  /// Selects the row at a position, or the one nearest to it.
  mutating func select(_ position: Int) {
    let position = max(0, min(position, snapshot.count - 1))
    selection.position = position
    selection.rowID = snapshot.isEmpty ? nil : snapshot.index.rowIDs[position]
    selection.chosen = selection.rowID
    selection.awaited = nil
  }

  /// Selects the same row in another state of the list, wherever it stands now;
  /// its neighbor where it is gone.
  mutating func reselect(from old: OrderedIndex, isOfSearch: Bool) {
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
    select(neighbor(of: selection.position, in: old) ?? (isOfSearch ? 0 : selection.position))
    if isOfSearch { selection.chosen = chosen }
  }

  /// Where the nearest row stands of those that stood near a position.
  private func neighbor(of position: Int, in old: OrderedIndex) -> Int? {
    let distance = 200
    let below = position..<max(position, min(position + distance, old.count))
    let above = (max(0, position - distance)..<position).reversed()
    for place in Array(below) + above where place < old.count {
      if let position = snapshot.index.position(of: old.rowIDs[place]) { return position }
    }
    return nil
  }

  /// Selects a row as soon as it is there.
  mutating func seek(_ rowID: Int64?) {
    guard let rowID, rowID != selection.rowID else { return }
    if let position = snapshot.index.position(of: rowID) {
      select(position)
    } else {
      selection.awaited = rowID
    }
  }

  /// Selects the row a number of rows farther down, or up, and scrolls by as
  /// many lines where it is a whole page.
  mutating func move(by count: Int, scrolls: Bool = false) {
    let line = window.line(of: selection.position, from: top, count: listHeight)
    select(selection.position + count)
    if scrolls, let line { top = window.top(showing: selection.position, atLine: line) }
  }
}
