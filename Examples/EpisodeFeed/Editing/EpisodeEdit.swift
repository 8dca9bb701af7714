/// What somebody does to the episodes of a list.
public enum EpisodeEdit: Hashable, Sendable {
  /// Begins to change a row, whose values are those of now.
  case begin(Int64)
  /// Gives a row another title.
  case setTitle(Int64, String)
  /// Says of a row that it was played, or was not.
  case togglePlayed(Int64)
  /// Deletes a row.
  case delete(Int64)
  /// Takes back what was done last.
  case undo
  /// Does again what was taken back last.
  case redo
}
