extension ChangeSet {
  /// Returns the change set as a minimal list of replaced ranges of rows,
  /// without sections.
  ///
  /// Splices are disjoint, not adjacent, and ascending in both spaces. When you
  /// apply them from first to last, each splice begins at `new.lowerBound` of
  /// the current list. When you apply them from last to first, each begins at
  /// `old.lowerBound`.
  ///
  /// A splice has no moves and no reconfigured cells. A moved row is removed
  /// and inserted. A row whose content changed is replaced by itself. A view
  /// therefore draws both again, and no further configuration is necessary.
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
      // The number of unaffected rows before the splice. It is equal in both
      // spaces.
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
