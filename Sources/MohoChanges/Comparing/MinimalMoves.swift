/// A touched row of a section, or a section whose rows are all touched, that is
/// in both lists.
///
/// Its *gap* is the number of untouched rows, or sections, before it.
struct MoveCandidate {
  /// The row or section index in old space.
  let old: Int
  /// The gap in old space.
  let oldGap: Int
  /// The gap in new space.
  let newGap: Int
}

/// Returns the offsets of the candidates that do not move, as many as possible,
/// given that untouched elements never move. All other candidates must move.
///
/// `candidates` are in their order in new space. A candidate whose gap changed
/// has passed an untouched element, so it moves. Among the candidates with the
/// same gap, those outside a longest increasing subsequence move. Gaps ascend
/// in both spaces, so the concatenation of these subsequences is a longest
/// increasing subsequence of all candidates with an unchanged gap.
///
/// - Complexity: O(*k* log *k*) for *k* candidates.
func stationaryOffsets(_ candidates: [MoveCandidate]) -> [Int] {
  let offsets = candidates.indices.filter { candidates[$0].oldGap == candidates[$0].newGap }
  return longestIncreasingSubsequence(offsets.map { candidates[$0].old }).map { offsets[$0] }
}
