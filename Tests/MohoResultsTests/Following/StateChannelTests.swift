import Dispatch
import MohoMapping
import Synchronization
import Testing

@testable import MohoResults

@Suite(.timeLimit(.minutes(20))) struct StateChannelTests {
  private struct Published: DeliveredState { let generation: Int }

  /// Runs tasks on a queue that can be suspended.
  private final class QueueExecutor: TaskExecutor {
    let queue = DispatchQueue(label: "StateChannelTests")

    func enqueue(_ job: consuming ExecutorJob) {
      let job = UnownedJob(job)
      queue.async { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
    }
  }

  @Test func aConsumerThatIsCanceledAfterAStateWasPublishedIsForgotten() async throws {
    let channel = StateChannel(Published(generation: 0))
    let executor = QueueExecutor()
    let consumer = Task(executorPreference: executor) {
      try await channel.newest(after: 0)?.generation
    }
    while channel.state.withLock({ $0.isIdle }) { await Task.yield() }
    // The job of the consumer has ended, so its task is suspended.
    await withCheckedContinuation { (ended: CheckedContinuation<Void, Never>) in
      executor.queue.async { ended.resume() }
    }

    // The consumer does not proceed before it is canceled.
    executor.queue.suspend()
    let waiters = channel.state.withLock { $0.publish(Published(generation: 1)) }
    for waiter in waiters { waiter.resume(returning: Published(generation: 1)) }
    consumer.cancel()
    executor.queue.resume()

    #expect(try await consumer.value == 1)
    #expect(channel.state.withLock { $0.isIdle })
  }
}
