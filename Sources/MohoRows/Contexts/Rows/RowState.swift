/// The state of a row in a context, relative to the store.
public enum RowState: Sendable, Hashable {
  /// Saving inserts the row.
  case inserted
  /// Saving does not write the row.
  case unchanged
  /// Saving updates the values or links of the row.
  case updated
  /// Saving deletes the row.
  case deleted
  /// The row is not in the store and saving does not insert it: its insertion
  /// was undone, its deletion was saved, or its context was reset.
  case detached
}
