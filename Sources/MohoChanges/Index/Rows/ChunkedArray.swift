/// An array in chunks of a few elements, so that a copy that is changed at one
/// place shares all chunks but one.
///
/// Elements of an index hold arrays themselves. To copy a list of them is to
/// count a reference for each, which lie far apart in memory: that, and not the
/// bytes, is what a change of an index costs.
///
/// - Complexity: An element is changed in O(*n* / 16). Elements come and go in
///   O(*n*).
struct ChunkedArray<Element: Sendable>: Sendable {
  private static var bits: Int { 4 }

  private(set) var chunks: [[Element]] = []
  private(set) var count = 0

  init(_ elements: some Sequence<Element>) { reset(Array(elements)) }

  mutating func append(_ element: Element) {
    if count & (1 << Self.bits - 1) == 0 {
      chunks.append([element])
    } else {
      chunks[chunks.count - 1].append(element)
    }
    count += 1
  }

  mutating func insert(_ element: Element, at position: Int) {
    var elements = Array(self)
    elements.insert(element, at: position)
    reset(elements)
  }

  mutating func remove(at position: Int) {
    var elements = Array(self)
    elements.remove(at: position)
    reset(elements)
  }

  private mutating func reset(_ elements: [Element]) {
    chunks = stride(from: 0, to: elements.count, by: 1 << Self.bits).map { first in
      Array(elements[first..<Swift.min(first + 1 << Self.bits, elements.count)])
    }
    count = elements.count
  }
}

extension ChunkedArray: RandomAccessCollection {
  var startIndex: Int { 0 }
  var endIndex: Int { count }

  subscript(position: Int) -> Element {
    get { chunks[position >> Self.bits][position & (1 << Self.bits - 1)] }
    // In place: what is changed is an array in turn.
    _modify { yield &chunks[position >> Self.bits][position & (1 << Self.bits - 1)] }
  }
}
