extension ChangeSet {
  /// Returns the change set as a difference of the row IDs of two lists,
  /// without sections.
  ///
  /// - Parameters:
  ///   - old: The list before the change.
  ///   - new: The list after the change.
  /// - Returns: The difference, or `nil` if the change set does not lead from
  ///   `old` to `new`.
  /// - Complexity: O(*k* log *n*) for *k* records.
  public func difference(from old: OrderedIndex, to new: OrderedIndex) -> ListDifference? {
    var steps: [CollectionDifference<Int64>.Change] = []
    var reconfigured: [ListDifference.Reconfiguration] = []
    for change in rows {
      let oldPosition = change.old.flatMap(old.position(of:))
      let newPosition = change.new.flatMap(new.position(of:))
      guard (oldPosition == nil) == (change.old == nil),
        (newPosition == nil) == (change.new == nil)
      else { return nil }

      if let oldPosition, change.isMove || newPosition == nil {
        steps.append(
          .remove(offset: oldPosition, element: change.rowID, associatedWith: newPosition))
      }
      if let newPosition, change.isMove || oldPosition == nil {
        steps.append(
          .insert(offset: newPosition, element: change.rowID, associatedWith: oldPosition))
      }
      if let oldPosition, let newPosition, change.content != .unchanged {
        reconfigured.append(
          ListDifference.Reconfiguration(
            old: oldPosition, new: newPosition, changedKeys: change.changedKeys))
      }
    }
    return CollectionDifference(steps).map {
      ListDifference(difference: $0, reconfiguredRows: reconfigured)
    }
  }
}
