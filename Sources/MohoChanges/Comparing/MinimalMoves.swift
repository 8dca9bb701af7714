/// A touched row that is in a section before and after.
struct TouchedSurvivor {
  let rowID: Int64
  let old: SectionWalk.Stop
  let new: SectionWalk.Stop
}

/// The offsets of the rows that can stay when untouched rows never move, as
/// many as possible. All others have to move.
///
/// `survivors` are in the order of their new rows. A row in another gap than
/// before has changed sides with an untouched row, so it has moved. Among
/// rows of one gap those outside a longest increasing subsequence move. Gaps
/// ascend in both spaces, so the subsequences of all gaps, put together, are
/// one of the whole.
///
/// - Complexity: O(*k* log *k*).
func stayingOffsets(_ survivors: [TouchedSurvivor]) -> [Int] {
  let candidates = survivors.indices.filter { survivors[$0].old.gap == survivors[$0].new.gap }
  return longestIncreasingRun(candidates.map { survivors[$0].old.row }).map { candidates[$0] }
}
