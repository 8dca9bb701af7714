// Arrays double their capacity when they grow. An index has thousands of small
// arrays that rarely change, so these methods reserve only a few elements of
// extra capacity.

extension Array {
  /// Inserts an element. If the array is full, it grows by a capacity of
  /// `slack` elements.
  mutating func insert(_ element: Element, at offset: Int, growingBy slack: Int) {
    guard count == capacity else { return insert(element, at: offset) }
    var grown: [Element] = []
    grown.reserveCapacity(count + slack)
    grown += self[..<offset]
    grown.append(element)
    grown += self[offset...]
    self = grown
  }

  /// Releases most of the unused capacity if it exceeds `slack` elements.
  mutating func trimCapacity(slack: Int) {
    guard capacity - count > slack else { return }
    var trimmed: [Element] = []
    trimmed.reserveCapacity(count + slack / 4)
    trimmed += self
    self = trimmed
  }
}
