extension [Int] {
  /// How many elements are less than a value, for ascending elements.
  ///
  /// - Complexity: O(log *n*).
  func offset(of value: Int) -> Int {
    var low = 0
    var high = count
    while low < high {
      let middle = low + (high - low) / 2
      if self[middle] < value { low = middle + 1 } else { high = middle }
    }
    return low
  }
}
