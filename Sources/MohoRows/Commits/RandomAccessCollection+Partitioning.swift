extension RandomAccessCollection {
  /// Returns the index of the first element that meets a condition, or the end index.
  ///
  /// - Parameter isInSecondPart: The condition. All elements after one that meets it must
  ///   meet it, too.
  /// - Complexity: O(log *n*) calls of the condition.
  package func partitioningIndex(
    where isInSecondPart: (Element) throws -> Bool
  ) rethrows -> Index {
    var (low, count) = (startIndex, count)
    while count > 0 {
      let half = count / 2
      let middle = index(low, offsetBy: half)
      if try isInSecondPart(self[middle]) {
        count = half
      } else {
        low = index(after: middle)
        count -= half + 1
      }
    }
    return low
  }
}
