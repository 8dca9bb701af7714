/// The rows that the last frame showed.
struct ShownRows {
  /// The rows from top to bottom.
  var order: [Int64] = []
  /// What they held.
  var episodes: [Int64: Episode] = [:]
}
