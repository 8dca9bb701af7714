import Campaigns
import MohoTesting
import Testing

@testable import MohoResults

/// Consumers of states, the follower that publishes them, and cancellations, in every order of
/// their steps.
@Suite struct DeliveryScheduleTests {
  private struct Published: DeliveredState, Equatable { let generation: Int }

  private struct ReadingFailed: Error {}

  /// What the follower does after a commit.
  private enum Event: Sendable {
    case publish
    /// The commit changes nothing.
    case confirm
    case fail
    /// The store is closed.
    case finish
  }

  /// A consumer that receives states until the last one, as ``StateChannel`` does.
  private struct Consumer {
    enum Step { case looks, registers, installsHandler, waits, isResumed, forgets, hasEnded }

    var step = Step.looks
    var generation = 0
    var hasFailed = false
    var id: Int?
    var isWaiting = false
    var isCanceled = false
    /// Whether a cancellation of the task calls the handler of the consumer.
    var hasHandler = false
    var result: Result<Published?, any Error>?
    /// What the consumer has received last: the generation, nil after the end, or an error.
    var received: [String] = []
  }

  private struct State {
    var delivery = DeliveryState<Published, Int>(Published(generation: 0))
    var consumers: [Consumer]
    var events: ArraySlice<Event>
    /// The consumers to resume, after the lock was released.
    var resumed: [(waiter: Int, result: Result<Published?, any Error>)] = []

    /// The newest generation of all events.
    let last: Int
    let endsWithFailure: Bool
  }

  /// Performs the next step of the follower: it changes the state, or resumes the waiters.
  private static func follow(_ state: inout State) throws -> Schedule<State>.Progress {
    if let (waiter, result) = state.resumed.popLast() {
      guard state.consumers[waiter].isWaiting, state.consumers[waiter].result == nil else {
        throw ScheduleDefect("consumer \(waiter) is resumed twice")
      }
      state.consumers[waiter].result = result
    } else if let event = state.events.popFirst() {
      let (waiters, result): ([Int], Result<Published?, any Error>)
      switch event {
      case .publish:
        let next = Published(generation: state.delivery.newest.generation + 1)
        (waiters, result) = (state.delivery.publish(next), .success(next))
      case .confirm:
        (waiters, result) = (state.delivery.confirm(), .success(state.delivery.newest))
      case .fail:
        (waiters, result) = (state.delivery.fail(ReadingFailed()), .failure(ReadingFailed()))
      case .finish: (waiters, result) = (state.delivery.finish(), .success(nil))
      }
      state.resumed = waiters.map { ($0, result) }
    }
    return state.events.isEmpty && state.resumed.isEmpty ? .isFinished : .continues
  }

  /// Performs the next step of a consumer.
  private static func consume(
    _ number: Int, _ state: inout State
  ) throws -> Schedule<State>.Progress {
    var consumer = state.consumers[number]
    defer { state.consumers[number] = consumer }
    switch consumer.step {
    case .looks:
      if !consumer.isCanceled, let newest = state.delivery.newest(after: consumer.generation) {
        return receive(.success(newest), &consumer, of: state)
      }
      consumer.step = .registers
    case .registers:
      consumer.id = state.delivery.makeID()
      consumer.step = .installsHandler
    case .installsHandler:
      // The handler of a task that was canceled before is called at once.
      if consumer.isCanceled, let id = consumer.id { _ = state.delivery.cancel(id) }
      consumer.hasHandler = true
      consumer.step = .waits
    case .waits:
      let result = state.delivery.wait(
        consumer.id ?? -1, after: consumer.generation, hasFailed: consumer.hasFailed, number)
      (consumer.isWaiting, consumer.result) = (true, result)
      consumer.step = .isResumed
    case .isResumed:
      if consumer.result == nil { return .isBlocked }
      (consumer.isWaiting, consumer.hasHandler) = (false, false)
      consumer.step = .forgets
    case .forgets:
      consumer.id.map { state.delivery.forget($0) }
      consumer.id = nil
      let result = consumer.result ?? .success(nil)
      consumer.result = nil
      return receive(result, &consumer, of: state)
    case .hasEnded: break
    }
    return .continues
  }

  /// Receives a result. The consumer ends with the last state, and after the end.
  private static func receive(
    _ result: Result<Published?, any Error>, _ consumer: inout Consumer, of state: State
  ) -> Schedule<State>.Progress {
    consumer.step = .looks
    switch result {
    case .success(let published?):
      consumer.received.append("\(published.generation)")
      (consumer.generation, consumer.hasFailed) = (published.generation, false)
      if published.generation < state.last { return .continues }
    case .success(nil): consumer.received.append("end")
    case .failure:
      consumer.received.append("error")
      consumer.hasFailed = true
      if !state.endsWithFailure || consumer.generation < state.last { return .continues }
    }
    consumer.step = .hasEnded
    return .isFinished
  }

  /// Cancels the task of a consumer: sets its flag, and calls its handler.
  private static func cancel(
    _ number: Int, _ state: inout State
  ) throws -> Schedule<State>.Progress {
    // The runtime sets the flag and calls the handler while it locks the task.
    state.consumers[number].isCanceled = true
    if state.consumers[number].hasHandler, let id = state.consumers[number].id,
      let waiter = state.delivery.cancel(id)
    {
      guard state.consumers[waiter].result == nil else {
        throw ScheduleDefect("consumer \(waiter) is canceled and resumed")
      }
      state.consumers[waiter].result = .success(nil)
    }
    return .isFinished
  }

  private static func schedule(
    _ events: [Event], consumers count: Int, canceling canceled: Int? = nil
  ) -> Schedule<State> {
    let last = events.count { if case .publish = $0 { true } else { false } }
    let endsWithFailure = if case .fail? = events.last { true } else { false }
    let state = State(
      consumers: Array(repeating: Consumer(), count: count), events: events[...], last: last,
      endsWithFailure: endsWithFailure)
    var actors: [Schedule<State>.Actor] = [("follower", follow)]
    for number in 0..<count {
      actors.append(("consumer \(number)", { try consume(number, &$0) }))
    }
    if let canceled { actors.append(("cancellation", { try cancel(canceled, &$0) })) }
    return Schedule(state, actors) { state in
      guard state.delivery.isIdle else { throw ScheduleDefect("a consumer is not forgotten") }
      for (number, consumer) in state.consumers.enumerated() {
        let isComplete =
          consumer.generation == last || consumer.received.last == "end"
          || number == canceled
        let generations = consumer.received.compactMap { Int($0) }
        guard isComplete, generations == generations.sorted() else {
          throw ScheduleDefect("consumer \(number) has received \(consumer.received)")
        }
      }
    }
  }

  @Test(
    arguments: [
      [.publish, .publish], [.fail, .publish], [.publish, .fail, .confirm, .publish],
      [.fail, .confirm, .publish], [.confirm, .publish, .confirm], [.publish, .finish],
      [.fail, .finish],
    ] as [[Event]])
  private func aConsumerReceivesTheLastStateInEveryOrder(events: [Event]) throws {
    let orders = try Self.schedule(events, consumers: 1).runEveryOrder(upTo: 100_000)
    #expect(orders.areAll && orders.count > 10)
  }

  /// Nothing else may end the consumer.
  @Test(
    arguments: [[], [.confirm], [.publish], [.fail], [.fail, .publish], [.publish, .finish]]
      as [[Event]])
  private func aCanceledConsumerEndsInEveryOrder(events: [Event]) throws {
    let orders = try Self.schedule(events, consumers: 1, canceling: 0)
      .runEveryOrder(upTo: 100_000)
    #expect(orders.areAll && orders.count > 4)
  }

  @Test func consumersDoNotDependOnEachOther() throws {
    let orders = try Self.schedule([.publish], consumers: 2, canceling: 1)
      .runEveryOrder(upTo: Campaign.count(short: 20_000, full: 400_000))
    #expect(orders.count > 10_000)
    var generator = SeededGenerator(seed: 7)
    try Self.schedule([.publish, .fail, .publish, .confirm, .finish], consumers: 3, canceling: 1)
      .runRandomOrders(Campaign.count(short: 2_000, full: 200_000), using: &generator)
  }
}
