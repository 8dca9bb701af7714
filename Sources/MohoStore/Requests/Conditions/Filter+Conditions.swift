import MohoMapping
import Synchronization

extension Filter {
  /// Joined conditions: a list that lists made of it by adding to an end share
  /// memory with.
  ///
  /// A request of *n* filters is made of *n* values, each of which has one more
  /// condition. With an array each, they would take O(*n*²) time.
  struct Conditions: Sendable {
    private var buffer: Buffer
    /// How many elements lie before and behind the first one of the buffer.
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

    /// Adds conditions behind these.
    ///
    /// - Complexity: Amortized O(*n*) for the smaller of both counts, if no other
    ///   list has been made so before.
    mutating func append(_ other: Conditions) {
      if other.isEmpty { return }
      if isEmpty {
        self = other
        return
      }
      // Lists that share a buffer have one depth: a deeper condition in it would
      // count for none of the others.
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
      /// In reverse order.
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

    /// Adds elements behind a list, unless others have been added there.
    func append(_ elements: [Filter], _ back: Int) -> Bool {
      state.withLock { state in
        guard state.back.count == back else { return false }
        state.back += elements
        return true
      }
    }

    /// Adds elements before a list, unless others have been added there.
    func prepend(_ elements: [Filter], _ front: Int) -> Bool {
      state.withLock { state in
        guard state.front.count == front else { return false }
        state.front += elements.reversed()
        return true
      }
    }
  }
}
