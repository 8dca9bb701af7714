/// An array of trivial elements, in memory that grows by doubling.
///
/// SAFETY: `start` points to memory for `capacity` elements, of which the first `count`
/// are initialized. Positions are below `count`. The array is not copyable, so `deinit`
/// frees memory that nothing else refers to.
struct TrivialArray<Element: BitwiseCopyable>: ~Copyable {
  /// The first element, until the array grows.
  private(set) var start: UnsafeMutablePointer<Element>
  private(set) var count = 0
  private(set) var capacity: Int

  init(capacity: Int) {
    start = .allocate(capacity: capacity)
    self.capacity = capacity
  }

  deinit { start.deallocate() }

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

  mutating func append(repeating element: Element, count more: Int) {
    if capacity - count < more { grow(by: more) }
    (start + count).initialize(repeating: element, count: more)
    count += more
  }

  /// Removes the elements from a position on.
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
