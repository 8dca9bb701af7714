/// Runs the steps of several actors on shared state, in every order or in random ones.
///
/// Each step of an actor is what a thread does without being interrupted, such as everything
/// under a lock. A failure has the order that leads to it, which ``run(_:)`` runs again.
package struct Schedule<State> {
  /// The outcome of a step.
  package enum Progress {
    case continues
    /// The step has done nothing, and is tried again after steps of other actors.
    case isBlocked
    case isFinished
  }

  package typealias Actor = (name: String, step: (inout State) throws -> Progress)

  /// An order of steps that leads to an error.
  package struct Failure: Error, CustomStringConvertible {
    /// The index of the actor of each step.
    package let order: [Int]
    package let description: String
  }

  private let makeState: () throws -> State
  private let actors: [Actor]
  private let check: (State) throws -> Void

  /// - Parameters:
  ///   - makeState: Returns the state before the first step.
  ///   - actors: The actors, with a closure that performs the next step.
  ///   - check: Throws an error if the state after the last step is wrong.
  package init(
    _ makeState: @autoclosure @escaping () throws -> State, _ actors: [Actor],
    check: @escaping (State) throws -> Void
  ) {
    self.makeState = makeState
    self.actors = actors
    self.check = check
  }

  /// Runs an order. After its end, the first actor that can continues.
  package func run(_ order: [Int]) throws {
    var rest = order[...]
    _ = try run { candidates in
      guard let actor = rest.popFirst() else { return candidates[0] }
      return candidates.contains(actor) ? actor : candidates[0]
    }
  }

  /// Runs all orders, or the first ones.
  ///
  /// - Returns: The number of orders, and whether these are all.
  @discardableResult
  package func runEveryOrder(upTo limit: Int) throws -> (count: Int, areAll: Bool) {
    // The indexes of the chosen candidates, with the numbers of candidates.
    var choices: [(index: Int, count: Int)] = []
    for count in 1...limit {
      var depth = 0
      _ = try run { candidates in
        if depth == choices.count { choices.append((0, candidates.count)) }
        defer { depth += 1 }
        return candidates[choices[depth].index]
      }
      while let last = choices.last, last.index + 1 == last.count { choices.removeLast() }
      if choices.isEmpty { return (count, true) }
      choices[choices.count - 1].index += 1
    }
    return (limit, false)
  }

  /// Runs random orders.
  package func runRandomOrders(
    _ count: Int, using generator: inout some RandomNumberGenerator
  ) throws {
    for _ in 0..<count {
      _ = try run { $0[Int.random(in: $0.indices, using: &generator)] }
    }
  }

  /// - Parameter choose: Returns the next actor, from those that may be able to continue.
  private func run(_ choose: ([Int]) -> Int) throws {
    var order: [Int] = []
    do {
      var state = try makeState()
      var unfinished = Set(actors.indices)
      var blocked: Set<Int> = []
      while !unfinished.isEmpty {
        let candidates = unfinished.subtracting(blocked).sorted()
        if candidates.isEmpty {
          throw Failure(
            order: order,
            description: "\(names(blocked.sorted())) wait without end")
        }
        let actor = candidates.count == 1 ? candidates[0] : choose(candidates)
        order.append(actor)
        switch try actors[actor].step(&state) {
        case .isBlocked: blocked.insert(actor)
        case .isFinished:
          unfinished.remove(actor)
          blocked = []
        case .continues: blocked = []
        }
      }
      try check(state)
    } catch {
      let text = (error as? Failure)?.description ?? "\(error)"
      throw Failure(order: order, description: "\(text), after \(names(order)): \(order)")
    }
  }

  private func names(_ order: [Int]) -> String {
    order.map { actors[$0].name }.joined(separator: ", ")
  }
}

/// What is wrong after a step, or at the end.
package struct ScheduleDefect: Error, CustomStringConvertible {
  package let description: String

  package init(_ description: String) { self.description = description }
}
