/// Returns the offsets of a longest strictly increasing subsequence, in
/// ascending order.
///
/// Patience sorting with back links: M. L. Fredman, "On computing the length of
/// longest increasing subsequences", Discrete Mathematics 11 (1975).
///
/// - Complexity: O(*n* log *n*), or O(*n*) if the values are already ascending.
func longestIncreasingSubsequence(_ values: [Int]) -> [Int] {
  // tails[l] is the offset of the smallest value that ends a subsequence of
  // length l + 1.
  var tails: [Int] = []
  var predecessors: [Int?] = []
  predecessors.reserveCapacity(values.count)

  for (offset, value) in values.enumerated() {
    var low = 0
    var high = tails.count
    if let last = tails.last, values[last] < value { low = high }
    while low < high {
      let middle = low + (high - low) / 2
      if values[tails[middle]] < value { low = middle + 1 } else { high = middle }
    }
    predecessors.append(low > 0 ? tails[low - 1] : nil)
    if low == tails.count { tails.append(offset) } else { tails[low] = offset }
  }

  var offsets: [Int] = []
  offsets.reserveCapacity(tails.count)
  var next = tails.last
  while let offset = next {
    offsets.append(offset)
    next = predecessors[offset]
  }
  return offsets.reversed()
}
