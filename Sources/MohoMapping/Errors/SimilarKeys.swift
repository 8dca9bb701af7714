/// Returns the key that is most similar to another one: the first one that
/// differs only in case, underscores and hyphens, or the one with the smallest
/// edit distance. At most one edit is allowed for every three letters.
package func similar(to key: String, among others: [String]) -> String? {
  let wanted = folded(key)
  if let other = others.first(where: { folded($0) == wanted }) { return other }
  let limit = min(wanted.count / 3, 3)
  guard limit > 0 else { return nil }
  let distances = others.map { other in
    let other = folded(other)
    // The distance of long names is slow to compute. It is at least the
    // difference of the lengths.
    return abs(other.count - wanted.count) > limit ? .max : distance(other, wanted)
  }
  guard let least = distances.min(), least <= limit else { return nil }
  return distances.firstIndex(of: least).map { others[$0] }
}

/// Returns a question that proposes a similar key, if any.
package func proposal(for key: String, among others: [String]) -> String? {
  similar(to: key, among: others).map { "did you mean `\($0)`?" }
}

/// Removes the differences between similar keys.
private func folded(_ key: String) -> [Character] {
  key.lowercased().filter { $0 != "_" && $0 != "-" }.map { $0 }
}

/// Returns the edit distance of two words: the number of insertions, deletions,
/// substitutions and swaps of neighbors ("optimal string alignment").
///
/// - Complexity: O(*n* · *m*) for words of *n* and *m* letters.
private func distance(_ one: [Character], _ other: [Character]) -> Int {
  var beforeLast: [Int] = []
  var last = Array(0...other.count)
  for row in one.indices {
    var next = [row + 1]
    for column in other.indices {
      let isEqual = one[row] == other[column]
      var least = min(
        last[column] + (isEqual ? 0 : 1), last[column + 1] + 1, next[column] + 1)
      if row > 0, column > 0, one[row] == other[column - 1], one[row - 1] == other[column] {
        least = min(least, beforeLast[column - 1] + 1)
      }
      next.append(least)
    }
    (beforeLast, last) = (last, next)
  }
  return last[other.count]
}
