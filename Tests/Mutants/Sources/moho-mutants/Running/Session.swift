import Foundation
import Synchronization

/// Runs suites without mutants, and then mutants, and stores the results as they come.
struct Session {
  var program: URL
  var folder: URL
  var jobs: Int
  var slowest: Double
  var leavesOutFailing: Bool
  /// The time in seconds after which no more suites of the module of a mutant run.
  var limit: Double
  /// The file with the results.
  var file: URL
  /// All suites. Only those that have run without mutants can find mutants.
  var suites: [TestSuite]
  var equivalents: Equivalents

  /// Runs the mutants that no test has found with the suites of some targets that have not run
  /// them.
  ///
  /// - Parameter again: Whether mutants that no suite has found are run again.
  mutating func run(
    _ plan: MutantPlan, _ results: borrowing Mutex<Results>, again: Bool, in targets: [String],
    where isChosen: (Mutant) -> Bool
  ) throws {
    let isLast = targets.count == Set(suites.map(\.target)).count
    let pending = results.withLock { $0.mutants }.filter { mutant in
      guard mutant.isPlanted, isChosen(mutant) else { return false }
      if equivalents.reasons[mutant.identity] != nil, mutant.outcome?.isFound != true {
        return false
      }
      guard let outcome = mutant.outcome else { return true }
      return isLast && !outcome.isFinal || again && !outcome.isFound
    }
    if pending.isEmpty { return }
    try measure(targets, plan, results)
    Progress.print("running \(pending.count) mutants in \(targets.joined(separator: ", "))")
    let run = MutantRun(program: program, suites: suites, targets: targets, limit: limit)
    let done = Mutex(0)
    let file = file
    try Work.perform(pending, jobs: jobs) { mutant in
      let outcome = try run.run(mutant, isLast: isLast)
      let count = done.withLock { done in
        done += 1
        return done
      }
      Progress.print(
        "\(count)/\(pending.count) \(mutant.identity.module) #\(mutant.number)",
        outcome.kind.rawValue, String(format: "%.1f s", outcome.seconds), outcome.test ?? "")
      try results.withLock { results in
        guard let index = results.mutants.firstIndex(where: { $0.number == mutant.number })
        else { return }
        results.mutants[index].outcome = outcome
        try results.write(file)
      }
    }
  }

  /// Runs the suites of some targets without mutants.
  private mutating func measure(
    _ targets: [String], _ plan: MutantPlan, _ results: borrowing Mutex<Results>
  ) throws {
    let earlier = results.withLock { $0.suites }
    let chosen = suites.filter { targets.contains($0.target) }
    let others = earlier.filter { !targets.contains($0.target) }
    let file = file
    let measured = try Measuring(
      program: program, folder: folder, jobs: jobs, slowest: slowest,
      leavesOutFailing: leavesOutFailing
    ).measure(
      chosen, earlier: earlier,
      lastMutant: plan.mutants.filter(\.isPlanted).map(\.number).max() ?? 0
    ) { chosen in
      try results.withLock { results in
        results.suites = others + chosen
        try results.write(file)
      }
    }
    suites = suites.filter { !targets.contains($0.target) } + measured
  }
}
