/// A touched row, or a section of touched rows, that is there before and after.
///
/// Its *gap* is the number of untouched ones before it.
struct Movable {
  /// The number in old space.
  let old: Int
  /// The gap in old space.
  let oldGap: Int
  /// The gap in new space.
  let newGap: Int
}

/// The offsets of those that can stay when untouched ones never move, as many
/// as possible. All others have to move.
///
/// `movables` are in their new order. One in another gap than before has
/// changed sides with an untouched one, so it has moved. Among those of one gap
/// the ones outside a longest increasing subsequence move. Gaps ascend in both
/// spaces, so the subsequences of all gaps, put together, are one of the whole.
///
/// - Complexity: O(*k* log *k*).
func stayingOffsets(_ movables: [Movable]) -> [Int] {
  let candidates = movables.indices.filter { movables[$0].oldGap == movables[$0].newGap }
  return longestIncreasingRun(candidates.map { movables[$0].old }).map { candidates[$0] }
}
