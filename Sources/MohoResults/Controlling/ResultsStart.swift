/// What a controller has read when it is there.
public enum ResultsStart: Sendable {
  /// All rows.
  case allRows

  /// The rows of the first batch, which an index on what is ordered by gives at
  /// once, however many rows there are. All others follow, read in the
  /// background, as the first update.
  case firstBatch
}
