// Arrays double their capacity when they grow. An index holds thousands of
// small arrays that mostly stay as they are, so a few elements to spare serve
// it better.

extension Array {
  /// Inserts an element; where there is no room, makes room for `slack` more.
  mutating func insertTightly(_ element: Element, at offset: Int, slack: Int) {
    guard count == capacity else { return insert(element, at: offset) }
    var roomier: [Element] = []
    roomier.reserveCapacity(count + slack)
    roomier += self[..<offset]
    roomier.append(element)
    roomier += self[offset...]
    self = roomier
  }

  /// Gives most of the room back where more than `slack` elements would fit.
  mutating func trim(slack: Int) {
    guard capacity - count > slack else { return }
    var tighter: [Element] = []
    tighter.reserveCapacity(count + slack / 4)
    tighter += self
    self = tighter
  }
}
