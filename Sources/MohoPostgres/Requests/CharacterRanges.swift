extension ClosedRange<UInt32> {
  /// The range in brackets of a regular expression.
  var expression: String {
    func escaped(_ value: UInt32) -> String {
      let digits = String(value, radix: 16)
      let (escape, count) = value > 0xFFFF ? ("\\U", 8) : ("\\u", 4)
      return escape + String(repeating: "0", count: count - digits.count) + digits
    }
    return escaped(lowerBound) + (count > 1 ? "-" + escaped(upperBound) : "")
  }
}

extension Sequence<ClosedRange<UInt32>> {
  /// The ranges in brackets of a regular expression.
  var expression: String { map(\.expression).joined() }
}

extension [UInt32] {
  /// The ranges of ascending values.
  var ranges: [ClosedRange<UInt32>] {
    var ranges: [ClosedRange<UInt32>] = []
    for value in self {
      if let last = ranges.last, last.upperBound + 1 == value {
        ranges[ranges.count - 1] = last.lowerBound...value
      } else {
        ranges.append(value...value)
      }
    }
    return ranges
  }
}
