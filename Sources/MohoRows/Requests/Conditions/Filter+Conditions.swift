import MohoMapping
import Synchronization

extension Filter {
  /// A list of joined conditions. Lists that extend the same list at either end
  /// share its memory.
  ///
  /// Chaining *n* conditions with `&&` makes *n* filters, each one condition
  /// longer than the previous one. If each filter owned an array, this would
  /// take O(*n*²) time.
  struct Conditions: Sendable {
    private var buffer: Buffer
    /// The number of elements that this list uses from the front and the back
    /// of the buffer, which other lists share.
    private var front = 0
    private var back = 0
    /// The depth of the deepest condition.
    private(set) var depth = 0

    init(_ filters: [Filter] = []) {
      buffer = Buffer(filters)
      back = filters.count
      depth = filters.map(\.depth).max() ?? 0
    }

    var count: Int { front + back }
    var isEmpty: Bool { count == 0 }
    var elements: [Filter] { buffer.elements(front, back) }

    /// Appends the conditions of another list.
    ///
    /// - Complexity: Amortized O(*n*), where *n* is the smaller of both counts,
    ///   unless another list has already been extended at the same end of the
    ///   shared buffer.
    mutating func append(_ other: Conditions) {
      if other.isEmpty { return }
      if isEmpty {
        self = other
        return
      }
      // Lists that share a buffer must have the same depth: `depth` covers the
      // whole buffer, so a deeper condition would count for the other lists,
      // too.
      if count < other.count {
        let own = elements
        if depth <= other.depth, other.buffer.prepend(own, other.front) {
          self = other
          front += own.count
        } else {
          self = Conditions(own + other.elements)
        }
      } else {
        let others = other.elements
        if other.depth <= depth, buffer.append(others, back) {
          back += others.count
        } else {
          self = Conditions(elements + others)
        }
      }
    }
  }

  private final class Buffer: Sendable {
    private struct State {
      /// The elements before the first one of the original list, in reverse
      /// order.
      var front: [Filter] = []
      var back: [Filter]
    }

    private let state: Lock<State>

    init(_ elements: [Filter]) { state = Lock(State(back: elements)) }

    func elements(_ front: Int, _ back: Int) -> [Filter] {
      state.withLock { state in
        if front == 0, back == state.back.count { return state.back }
        return state.front.prefix(front).reversed() + state.back.prefix(back)
      }
    }

    /// Appends elements to a list that ends at `back`. Returns false if another
    /// list has already been extended there.
    func append(_ elements: [Filter], _ back: Int) -> Bool {
      state.withLock { state in
        guard state.back.count == back else { return false }
        state.back += elements
        return true
      }
    }

    /// Prepends elements to a list that starts at `front`. Returns false if
    /// another list has already been extended there.
    func prepend(_ elements: [Filter], _ front: Int) -> Bool {
      state.withLock { state in
        guard state.front.count == front else { return false }
        state.front += elements.reversed()
        return true
      }
    }
  }
}
