import ArgumentParser
import Foundation
import Synchronization

/// Plants mutants and runs the tests.
struct RunCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "run", abstract: "Plants mutants, and runs the tests that execute their code.",
    discussion: """
      The program copies the repository to `.build/mutants/checkout`, and changes some code of the \
      library in a random way: conditions are negated, operators and bounds shifted, statements \
      removed. All mutants are compiled into one build of the tests; the environment variable \
      `MOHO_MUTANT` turns one of them on.

      Each suite is then run without mutants, which must pass, to record its time and the mutants \
      whose code it executes. For each mutant, the suites that execute its code run until a test \
      fails, the process crashes or takes too long. Tests that take longer than `--slowest` are \
      skipped.

      The results are stored in `.build/mutants/mutants.json` as they come, and a run continues \
      where the last one ended. It also adds mutants if `--count` is greater, or with other \
      modules. The report is written to `.build/mutants/report.md`.

      A mutant that no test can find is described in `Tests/Mutants/Equivalent.txt`, with the \
      reason.
      """)

  @Option(
    parsing: .upToNextOption,
    help: "The modules that get mutants: \(TestTable.modules.joined(separator: ", ")).")
  var module = TestTable.modules

  @Option(help: "The number of mutants for each module.")
  var count = 50

  @Option(help: "The seed that selects the mutants.")
  var seed: UInt64 = 1

  @Option(help: "The number of test processes that run at once.")
  var jobs = 1

  @Option(help: "The time in seconds of a test that is too slow.")
  var slowest = 4.0

  @Flag(help: "Run the mutants again that no test has found.")
  var again = false

  @Flag(help: "Only look for mutants and print them.")
  var list = false

  @OptionGroup var location: LocationOptions

  func validate() throws {
    for name in module where !TestTable.modules.contains(name) {
      throw ValidationError("Unknown module `\(name)`.")
    }
  }

  func run() throws {
    let checkout = location.checkout
    let equivalents = try location.equivalents()
    try FileManager.default.createDirectory(
      at: checkout.folder, withIntermediateDirectories: true)
    let earlier = try Results.read(location.results)
    let paths = try checkout.paths()
    let sources = paths.filter { path in
      path.hasSuffix(".swift") && TestTable.modules.contains { path.hasPrefix("Sources/\($0)/") }
    }
    var plan = try MutantPlan(
      root: location.rootURL, paths: sources, modules: module, count: count, seed: seed,
      mutants: earlier.mutants)
    if list {
      for mutant in plan.mutants { Progress.print(mutant.number, mutant.line, mutant.identity) }
      return
    }
    let program = try build(checkout, &plan, paths)
    guard FileManager.default.changeCurrentDirectoryPath(checkout.copy.path) else {
      throw Failure("no folder \(checkout.copy.path)")
    }
    let results = Mutex(Results(mutants: plan.mutants, suites: earlier.suites))
    let file = location.results
    try results.withLock { try $0.write(file) }
    let suites = try Measuring(
      program: program, folder: checkout.folder, jobs: jobs, slowest: slowest
    ).measure(
      try TestSuite.all(of: program, root: checkout.copy), earlier: earlier.suites,
      lastMutant: plan.mutants.filter(\.isPlanted).map(\.number).max() ?? 0
    ) { suites in
      try results.withLock { results in
        results.suites = suites
        try results.write(file)
      }
    }
    try test(plan, MutantRun(program: program, suites: suites), equivalents, results)
    let report = Report(mutants: results.withLock { $0.mutants }, equivalents: equivalents)
    try Data(report.markdown.utf8).write(to: checkout.folder.appending(path: "report.md"))
    Progress.print(report.summary)
  }

  /// Builds the tests. Mutants that do not compile are removed.
  private func build(_ checkout: Checkout, _ plan: inout MutantPlan, _ paths: [String]) throws
    -> URL
  {
    let targets = Set(TestTable.targets.flatMap(\.tests)).sorted()
    for _ in 1...12 {
      try checkout.write(plan, paths: paths, targets: targets)
      Progress.print("building \(plan.mutants.count(where: \.isPlanted)) mutants")
      let errors = try checkout.build()
      if errors.isEmpty { return try checkout.testProgram() }
      let dropped = plan.drop(for: errors)
      Progress.print("\(dropped) mutants do not compile")
      if dropped == 0 { break }
    }
    throw Failure("the copy does not compile; see \(checkout.log.path)")
  }

  private func test(
    _ plan: MutantPlan, _ run: MutantRun, _ equivalents: Equivalents,
    _ results: borrowing Mutex<Results>
  ) throws {
    let file = location.results
    let pending = plan.mutants.filter { mutant in
      guard mutant.isPlanted, module.contains(mutant.identity.module) else { return false }
      guard let outcome = mutant.outcome else { return true }
      return again && !outcome.isFound && equivalents.reasons[mutant.identity] == nil
    }
    Progress.print("running \(pending.count) mutants")
    let done = Mutex(0)
    try Work.perform(pending, jobs: jobs) { mutant in
      let outcome = try run.run(mutant)
      let count = done.withLock { done in
        done += 1
        return done
      }
      Progress.print(
        "\(count)/\(pending.count)", mutant.identity.module, "#\(mutant.number)",
        outcome.kind.rawValue, String(format: "%.1f s", outcome.seconds), outcome.test ?? "")
      try results.withLock { results in
        guard let index = results.mutants.firstIndex(where: { $0.number == mutant.number })
        else { return }
        results.mutants[index].outcome = outcome
        try results.write(file)
      }
    }
  }
}
