import Foundation

/// Looks for a test that finds a mutant.
struct MutantRun {
  var program: URL
  var suites: [TestSuite]

  /// Runs the suites that execute the code of a mutant: those of its module before others, and
  /// fast ones before slow ones.
  func run(_ mutant: Mutant) throws -> Mutant.Outcome {
    let reaching = suites.filter { $0.measured?.reached.contains(mutant.number) ?? false }
    guard !reaching.isEmpty else { return .init(kind: .unreached, test: nil, seconds: 0) }
    let start = ContinuousClock.now
    for batch in batches(reaching, module: mutant.identity.module) {
      let seconds = batch.reduce(0) { $0 + ($1.measured?.seconds ?? 0) }
      let result = try TestRun(
        program: program, engine: batch[0].engine, filters: batch.map(\.filter),
        skipped: batch.flatMap(\.skipped), environment: ["MOHO_MUTANT": "\(mutant.number)"],
        limit: 30 + 4 * seconds
      ).run()
      let total = (ContinuousClock.now - start).seconds
      if let failure = result.failure {
        return .init(kind: failure.kind, test: failure.test, seconds: total)
      }
    }
    return .init(
      kind: .survived, test: nil, seconds: (ContinuousClock.now - start).seconds)
  }

  /// Divides suites into runs of increasing length, each with one engine.
  private func batches(_ suites: [TestSuite], module: String) -> [[TestSuite]] {
    let preferred = TestTable.targets.first { $0.module == module }?.tests ?? []
    let order: (TestSuite) -> (Int, Double) = { suite in
      (preferred.firstIndex(of: suite.target) ?? preferred.count, suite.measured?.seconds ?? 0)
    }
    var batches: [[TestSuite]] = []
    var limit = 3.0
    var seconds = 0.0
    for suite in suites.sorted(by: { order($0) < order($1) }) {
      seconds += suite.measured?.seconds ?? 0
      if let index = batches.indices.last, seconds < limit, batches[index][0].engine == suite.engine
      {
        batches[index].append(suite)
      } else {
        batches.append([suite])
        seconds = suite.measured?.seconds ?? 0
        limit *= 1.5
      }
    }
    return batches
  }
}

extension TestSuite {
  /// Regular expressions for the tests that are not run.
  fileprivate var skipped: [String] {
    (measured?.slowTests ?? []).map { "^\(target)\\.\(name)/(.*/)?\($0)\\(" }
  }
}
