/// An array stored in chunks of 16 elements. A copy with one changed element
/// shares all other chunks.
///
/// The elements of an index are themselves arrays. To copy an array of arrays,
/// Swift retains each of them, and they are scattered in memory. This, not the
/// number of bytes, dominates the cost of an index update.
///
/// - Complexity: Changing an element is O(*n* / 16). Insertion and removal are
///   O(*n*).
struct ChunkedArray<Element: Sendable>: Sendable {
  private static var chunkBits: Int { 4 }

  private(set) var chunks: [[Element]] = []
  private(set) var count = 0

  init(_ elements: some Sequence<Element>) { rebuild(Array(elements)) }

  mutating func insert(_ element: Element, at position: Int) {
    var elements = Array(self)
    elements.insert(element, at: position)
    rebuild(elements)
  }

  mutating func remove(at position: Int) {
    var elements = Array(self)
    elements.remove(at: position)
    rebuild(elements)
  }

  private mutating func rebuild(_ elements: [Element]) {
    chunks = stride(from: 0, to: elements.count, by: 1 << Self.chunkBits).map { first in
      Array(elements[first..<Swift.min(first + 1 << Self.chunkBits, elements.count)])
    }
    count = elements.count
  }
}

extension ChunkedArray: RandomAccessCollection {
  var startIndex: Int { 0 }
  var endIndex: Int { count }

  subscript(position: Int) -> Element {
    get { chunks[position >> Self.chunkBits][position & (1 << Self.chunkBits - 1)] }
    // Modifies in place, because elements are arrays that would be copied
    // otherwise.
    _modify { yield &chunks[position >> Self.chunkBits][position & (1 << Self.chunkBits - 1)] }
  }
}
