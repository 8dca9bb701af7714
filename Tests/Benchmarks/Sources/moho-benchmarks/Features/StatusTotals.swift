/// The number of statuses and the sum of their counts, which every contender
/// must reproduce.
struct StatusTotals: Equatable {
  var statuses = 0
  var sum = 0

  init(statuses: Int, sum: Int) {
    self.statuses = statuses
    self.sum = sum
  }

  init(counts: some Sequence<Int>) {
    for count in counts {
      statuses += 1
      sum += count
    }
  }

  /// Returns the sum of counts as a checksum, or throws an error if the totals
  /// are not the expected ones.
  func checksum(expected: StatusTotals) throws -> Double {
    guard self == expected else {
      throw ChecksumMismatch(description: "\(self), expected \(expected)")
    }
    return Double(sum)
  }
}

extension StatusTotals: CustomStringConvertible {
  var description: String { "\(statuses) statuses with \(sum) as the sum of their counts" }
}
