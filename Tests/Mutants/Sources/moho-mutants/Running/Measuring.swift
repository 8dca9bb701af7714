import Foundation
import Synchronization

/// Runs every suite without mutants.
struct Measuring {
  var program: URL
  var folder: URL
  var jobs: Int
  /// Tests that take longer, in seconds, are not run for each mutant.
  var slowest: Double
  /// Whether suites that fail are left out.
  var leavesOutFailing: Bool

  /// The results of suites. Those of equal suites of an earlier run are used again.
  ///
  /// - Parameters:
  ///   - lastMutant: The greatest number of a mutant.
  ///   - store: Receives all suites from time to time.
  func measure(
    _ suites: [TestSuite], earlier: [TestSuite], lastMutant: Int,
    store: @Sendable ([TestSuite]) throws -> Void
  ) throws -> [TestSuite] {
    let known = suites.map { suite in
      var suite = suite
      suite.measured = earlier.first { $0.isSame(as: suite) }?.measured
      if suite.measured?.lastMutant != lastMutant { suite.measured = nil }
      return suite
    }
    let state = Mutex(known)
    let failures = Mutex<[String]>([])
    let missing = known.indices.filter { known[$0].measured == nil }
    if missing.isEmpty { return known }
    Progress.print("running \(missing.count) suites without mutants")
    try Work.perform(missing, jobs: jobs) { index in
      let suite = known[index]
      let (measured, failure) = try measure(suite, index: index, lastMutant: lastMutant)
      if let failure { failures.withLock { $0.append(failure) } }
      let all = state.withLock { suites in
        suites[index].measured = measured
        return suites
      }
      if index.isMultiple(of: 20) { try store(all) }
    }
    let all = state.withLock { $0 }
    try store(all)
    let failed = failures.withLock { $0 }
    // Without mutants, all tests must pass.
    let list = failed.joined(separator: "\n")
    if !failed.isEmpty {
      guard leavesOutFailing else { throw Failure("tests fail without mutants:\n\(list)") }
      Progress.print("tests that fail without mutants:\n\(list)")
    }
    return all
  }

  private func measure(
    _ suite: TestSuite, index: Int, lastMutant: Int
  ) throws -> (TestSuite.Measured?, failure: String?) {
    let file = folder.appending(path: "reached-\(index)")
    try Data(count: 1 << 16).write(to: file)
    defer { try? FileManager.default.removeItem(at: file) }
    let run = TestRun(
      program: program, engine: suite.engine, filters: [suite.filter],
      environment: ["MOHO_MUTANTS_REACHED": file.path], isParallel: false, limit: 600)
    var result = try run.run()
    // Tests that wait for each other may fail on a busy machine.
    if result.failure != nil { result = try run.run() }
    if let failure = result.failure {
      return (nil, "\(suite.target).\(suite.name): \(failure.kind.rawValue), \(failure.tests)")
    }
    let bytes = try Data(contentsOf: file)
    let slow = result.tests.filter { $0.value > slowest && $0.key.contains("(") }
    return (
      TestSuite.Measured(
        lastMutant: lastMutant, reached: bytes.indices.filter { bytes[$0] != 0 },
        seconds: result.seconds - slow.values.reduce(0, +),
        slowTests: slow.keys.map { String($0.prefix { $0 != "(" }) }.sorted()), nil
    )
  }
}
