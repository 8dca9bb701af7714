extension [Int] {
  /// Returns the number of elements less than a value. The array must be sorted
  /// in ascending order.
  ///
  /// - Complexity: O(log *n*).
  func insertionOffset(of value: Int) -> Int {
    var low = 0
    var high = count
    while low < high {
      let middle = low + (high - low) / 2
      if self[middle] < value { low = middle + 1 } else { high = middle }
    }
    return low
  }
}
