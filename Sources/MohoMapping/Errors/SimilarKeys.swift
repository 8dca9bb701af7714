/// The key among some others that was perhaps meant by one: the first that differs
/// from it only in letter case, underscores and hyphens, else the first of those
/// that take the fewest mistakes in typing, a mistake for every three letters.
package func similar(to key: String, among others: [String]) -> String? {
  let wanted = folded(key)
  if let other = others.first(where: { folded($0) == wanted }) { return other }
  let limit = min(wanted.count / 3, 3)
  guard limit > 0 else { return nil }
  let distances = others.map { other in
    let other = folded(other)
    // Long names take long, and too long ones are no mistake in typing.
    return abs(other.count - wanted.count) > limit ? .max : distance(other, wanted)
  }
  guard let least = distances.min(), least <= limit else { return nil }
  return distances.firstIndex(of: least).map { others[$0] }
}

/// Asks whether another key was meant, where one looks alike.
package func proposal(for key: String, among others: [String]) -> String? {
  similar(to: key, among: others).map { "did you mean `\($0)`?" }
}

/// A key without what keys that look alike differ in.
private func folded(_ key: String) -> [Character] {
  key.lowercased().filter { $0 != "_" && $0 != "-" }.map { $0 }
}

/// How many letters of a word must be put in, left out, changed or swapped with
/// the next one to make another of it ("optimal string alignment").
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
