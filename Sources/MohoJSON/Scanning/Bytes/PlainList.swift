/// Plain values one behind the other, in memory that grows by doubling.
///
/// SAFETY: The owner copies no list, and deallocates it once. The first `count`
/// elements are initialized; positions are below it.
struct PlainList<Element: BitwiseCopyable> {
  /// The first element, until the list grows.
  private(set) var start: UnsafeMutablePointer<Element>
  /// How many elements there are. Those behind a smaller number are forgotten.
  private(set) var count = 0
  private var capacity: Int

  init(capacity: Int) {
    start = .allocate(capacity: capacity)
    self.capacity = capacity
  }

  func deallocate() { start.deallocate() }

  @inline(__always)
  subscript(position: Int) -> Element {
    get { start[position] }
    nonmutating _modify { yield &start[position] }
  }

  @inline(__always)
  mutating func append(_ element: Element) {
    if count == capacity { grow(by: 1) }
    (start + count).initialize(to: element)
    count += 1
  }

  /// Appends an element several times.
  mutating func append(repeating element: Element, count more: Int) {
    if capacity - count < more { grow(by: more) }
    (start + count).initialize(repeating: element, count: more)
    count += more
  }

  /// Forgets the elements from a position on.
  @inline(__always)
  mutating func removeAll(from position: Int) { count = position }

  @inline(never)
  private mutating func grow(by more: Int) {
    capacity = max(capacity * 2, count + more)
    let larger = UnsafeMutablePointer<Element>.allocate(capacity: capacity)
    larger.moveInitialize(from: start, count: count)
    start.deallocate()
    start = larger
  }
}
