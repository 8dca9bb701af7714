extension ChangeSet {
  /// The change set as runs of rows that take each other's places, as few as
  /// possible.
  ///
  /// Splices do not overlap, do not touch and ascend in both spaces. Carried out
  /// from the first to the last, each one begins at `new.lowerBound` in the list
  /// that the one before left; from the last to the first, at `old.lowerBound`.
  ///
  /// A splice knows no moves and no cells that stay: a moved row goes and comes,
  /// and a row whose content changed takes its own place. Both are drawn anew
  /// by that, so nothing else is to be configured.
  ///
  /// - Parameters:
  ///   - old: The list before the change.
  ///   - new: The list after the change.
  /// - Complexity: O(*k* log *n*) for *k* records.
  public func splices(from old: OrderedIndex, to new: OrderedIndex) -> [ListSplice] {
    let removed = rows.compactMap { $0.old.flatMap(old.position(of:)) }.sorted()
    let added = rows.compactMap { $0.new.flatMap(new.position(of:)) }.sorted()

    var splices: [ListSplice] = []
    var (oldNext, newNext) = (0, 0)
    while oldNext < removed.count || newNext < added.count {
      // The rows before the run that stay are as many in both spaces.
      let oldGap = oldNext < removed.count ? removed[oldNext] - oldNext : .max
      let newGap = newNext < added.count ? added[newNext] - newNext : .max
      let gap = min(oldGap, newGap)
      let (oldStart, newStart) = (gap + oldNext, gap + newNext)
      while oldNext < removed.count, removed[oldNext] - oldNext == gap { oldNext += 1 }
      while newNext < added.count, added[newNext] - newNext == gap { newNext += 1 }
      splices.append(
        ListSplice(old: oldStart..<gap + oldNext, new: newStart..<gap + newNext))
    }
    return splices
  }
}
