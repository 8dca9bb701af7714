/// What saving a context would make of a row.
public enum RowState: Sendable, Hashable {
  /// It would be inserted.
  case inserted
  /// Nothing.
  case unchanged
  /// It would be updated, or its links would.
  case updated
  /// It would be deleted.
  case deleted
  /// Nothing: it is in no store and not meant to be, because its insertion was
  /// taken back or its deletion saved.
  case detached
}
