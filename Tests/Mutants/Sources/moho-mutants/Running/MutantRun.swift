import Foundation

/// Looks for a test that finds a mutant.
struct MutantRun {
  var program: URL
  var suites: [TestSuite]
  /// The targets whose suites run.
  var targets: [String]
  /// The time in seconds after which no more suites of the module of a mutant run.
  var limit: Double

  /// Runs the suites that execute the code of a mutant, fast ones before slow ones.
  ///
  /// - Parameter isLast: Whether these are all suites. The fast ones of the module of the mutant
  ///   have run before.
  func run(_ mutant: Mutant, isLast: Bool) throws -> Mutant.Outcome {
    let reaching = suites.filter { $0.measured?.reached.contains(mutant.number) ?? false }
    let own = TestTable.targets.first { $0.module == mutant.identity.module }?.tests ?? []
    let fast = limited(batches(reaching.filter { own.contains($0.target) }, own))
    let isDone = isLast && mutant.outcome?.kind == .undecided
    let done = isDone ? Set(fast.joined().map(\.key)) : []
    let chosen = isLast ? batches(reaching.filter { !done.contains($0.key) }, targets) : fast
    let earlier = mutant.outcome?.kind == .undecided ? mutant.outcome?.seconds ?? 0 : 0
    let start = ContinuousClock.now
    for batch in chosen {
      let seconds = batch.reduce(0) { $0 + ($1.measured?.seconds ?? 0) }
      var run = TestRun(
        program: program,
        engine: batch.contains { $0.engine == .sqlite } ? .sqlite : batch[0].engine,
        filters: batch.map(\.filter),
        skipped: batch.flatMap(\.skipped), environment: ["MOHO_MUTANT": "\(mutant.number)"],
        limit: 10 + 4 * seconds)
      guard var failure = try run.run().failure else { continue }
      let total = earlier + (ContinuousClock.now - start).seconds
      if failure.kind == .crashed, failure.tests.count > 1 {
        // One test at a time shows which one crashes.
        run.isParallel = false
        if let single = try run.run().failure, single.kind == .crashed { failure = single }
      }
      return .init(
        kind: failure.kind, test: failure.tests.joined(separator: ", "), seconds: total)
    }
    return .init(
      kind: isLast ? reaching.isEmpty ? .unreached : .survived : .undecided, test: nil,
      seconds: earlier + (ContinuousClock.now - start).seconds)
  }

  /// The first runs, which take no more than the limit together.
  private func limited(_ batches: [[TestSuite]]) -> [[TestSuite]] {
    var seconds = 0.0
    return batches.prefix { batch in
      defer { seconds += batch.reduce(0) { $0 + ($1.measured?.seconds ?? 0) } }
      return seconds < limit
    }
  }

  /// Divides suites into runs of increasing length, each with one engine: fast suites before
  /// slow ones, and SQLite before PostgreSQL.
  private func batches(_ suites: [TestSuite], _ targets: [String]) -> [[TestSuite]] {
    let order: (TestSuite) -> (Int, Int, Double) = { suite in
      (
        suite.engine == .postgres ? 1 : 0, targets.firstIndex(of: suite.target) ?? 0,
        suite.measured?.seconds ?? 0
      )
    }
    var batches: [[TestSuite]] = []
    var limit = 3.0
    var seconds = 0.0
    for suite in suites.sorted(by: { order($0) < order($1) }) {
      seconds += suite.measured?.seconds ?? 0
      let engine = suite.engine == .postgres
      if seconds < limit, let last = batches.last?[0], (last.engine == .postgres) == engine {
        batches[batches.count - 1].append(suite)
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
  fileprivate var key: String { "\(filter) \(engine)" }

  /// Regular expressions for the tests that are not run.
  fileprivate var skipped: [String] {
    (measured?.slowTests ?? []).map { "^\(target)\\.\(name)/(.*/)?\($0)\\(" }
  }
}
