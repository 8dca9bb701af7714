import Dispatch
import Testing

/// Runs tests that block their thread outside of the threads of tasks, which
/// other tests need.
struct BlockingTrait: TestTrait, SuiteTrait, TestScoping {
  var isRecursive: Bool { true }

  func provideScope(
    for test: Test, testCase: Test.Case?,
    performing function: @concurrent @Sendable () async throws -> Void
  ) async throws {
    try await withTaskExecutorPreference(QueueExecutor()) { try await function() }
  }
}

extension Trait where Self == BlockingTrait {
  /// The tests block their thread.
  static var blocking: Self { Self() }
}

/// Runs tasks on a queue, one job at a time.
private final class QueueExecutor: TaskExecutor {
  private let queue = DispatchQueue(label: "blocking test")

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    queue.async { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
  }
}
