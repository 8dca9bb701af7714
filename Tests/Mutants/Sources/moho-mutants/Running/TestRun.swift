import Foundation
import Synchronization

/// A run of the test program that ends with the first failure.
struct TestRun {
  var program: URL
  var engine: TestTable.Engine
  var filters: [String]
  var skipped: [String] = []
  var environment: [String: String] = [:]
  var isParallel = true
  var stopsAtFailure = true
  /// The limit of the time, in seconds.
  var limit: Double

  /// What happened.
  struct Result {
    var failure: (kind: Mutant.Outcome.Kind, tests: [String])?
    var seconds: Double
    /// The times of the tests that passed, by name.
    var tests: [String: Double] = [:]
    var output = ""
  }

  func run() throws -> Result {
    let process = Process()
    let pipe = Pipe()
    // A mutant may allocate without end.
    process.executableURL = URL(filePath: "/bin/sh")
    process.arguments = [
      "-c", "ulimit -v 12000000 2>/dev/null; exec \"$0\" \"$@\"", program.path,
      "--testing-library", "swift-testing",
    ]
    process.arguments? += filters.flatMap { ["--filter", $0] }
    process.arguments? += (skipped + TestTable.skippedTests).flatMap { ["--skip", $0] }
    if !isParallel { process.arguments?.append("--no-parallel") }
    var environment = ProcessInfo.processInfo.environment
    environment["SWIFT_BACKTRACE"] = "enable=no"
    if engine != .any { environment["MOHO_ENGINE"] = engine.rawValue }
    process.environment = environment.merging(self.environment) { $1 }
    process.standardOutput = pipe
    process.standardError = pipe
    process.standardInput = FileHandle.nullDevice
    let start = ContinuousClock.now
    try process.run()
    try? pipe.fileHandleForWriting.close()
    var watcher = TestWatcher()
    watcher.read(
      pipe.fileHandleForReading.fileDescriptor, until: start + .seconds(limit),
      while: { process.isRunning }, stopsAtFailure: stopsAtFailure)
    let seconds = (ContinuousClock.now - start).seconds
    var result = Result(seconds: seconds, tests: watcher.passed, output: watcher.output)
    if let test = watcher.failure {
      result.failure = (.failed, [test])
    } else if watcher.isLate {
      result.failure = (.timedOut, watcher.runningTests)
    }
    if process.isRunning { end(process) }
    process.waitUntilExit()
    if result.failure == nil, process.terminationReason == .uncaughtSignal {
      result.failure = (.crashed, watcher.runningTests)
    } else if result.failure == nil, process.terminationStatus != 0 {
      result.failure = (watcher.hasEnded ? .failed : .crashed, watcher.runningTests)
    }
    return result
  }

  /// Kills a process, and its children if it leads a group.
  private func end(_ process: Process) {
    let id = process.processIdentifier
    kill(getpgid(id) == id ? -id : id, SIGKILL)
  }
}

extension Duration {
  var seconds: Double { self / .seconds(1) }
}
