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

      The suites of a module are then run without mutants, which must pass, to record their times \
      and the mutants whose code they execute. For each mutant, the suites that execute its code \
      run until a test fails, the process crashes or takes too long. Tests that take longer than \
      `--slowest` are skipped. A mutant that the suites of its module do not find within `--limit` \
      runs at the end in all other suites that execute its code.

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

  @Option(help: "The time in seconds for the suites of the module of a mutant.")
  var limit = 30.0

  @Flag(help: "Run the mutants again that no test has found.")
  var again = false

  @Flag(help: "Do not run the suites of other modules.")
  var quick = false

  @Flag(help: "Leave out suites that fail without mutants. They end the run otherwise.")
  var leaveOutFailing = false

  @Flag(help: "Use the build of the last run. Changes of the sources since then have no effect.")
  var skipBuild = false

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
    let file = location.results
    let equivalents = try location.equivalents()
    try FileManager.default.createDirectory(
      at: checkout.folder, withIntermediateDirectories: true)
    let earlier = try Results.read(file)
    let paths = try checkout.paths()
    let sources = paths.filter { path in
      path.hasSuffix(".swift") && TestTable.modules.contains { path.hasPrefix("Sources/\($0)/") }
    }
    var plan = try MutantPlan(
      root: location.rootURL, paths: sources, modules: module, count: count, seed: seed,
      mutants: earlier.mutants, isBuilt: skipBuild)
    if list {
      for mutant in plan.mutants { Progress.print(mutant.number, mutant.line, mutant.identity) }
      return
    }
    let program =
      try skipBuild
      ? checkout.testProgram()
      : build(checkout, &plan, paths) { plan in
        try Results(mutants: plan.mutants, suites: earlier.suites).write(file)
      }
    guard FileManager.default.changeCurrentDirectoryPath(checkout.copy.path) else {
      throw Failure("no folder \(checkout.copy.path)")
    }
    let results = Mutex(Results(mutants: plan.mutants, suites: earlier.suites))
    try results.withLock { try $0.write(file) }
    var session = Session(
      program: program, folder: checkout.folder, jobs: jobs, slowest: slowest,
      leavesOutFailing: leaveOutFailing, limit: limit,
      file: file,
      suites: try TestSuite.all(of: program, root: checkout.copy), equivalents: equivalents)
    for name in module {
      let targets = TestTable.targets.first { $0.module == name }?.tests ?? []
      try session.run(plan, results, again: again, in: targets) { $0.identity.module == name }
    }
    let others = Set(session.suites.map(\.target)).sorted()
    if !quick {
      try session.run(plan, results, again: false, in: others) {
        module.contains($0.identity.module)
      }
    }
    let report = Report(mutants: results.withLock { $0.mutants }, equivalents: equivalents)
    try Data(report.markdown.utf8).write(to: checkout.folder.appending(path: "report.md"))
    Progress.print(report.summary)
  }

  /// Builds the tests. Mutants that do not compile are removed.
  ///
  /// - Parameter store: Receives the plan whenever mutants have been removed.
  private func build(
    _ checkout: Checkout, _ plan: inout MutantPlan, _ paths: [String],
    store: (MutantPlan) throws -> Void
  ) throws -> URL {
    let targets = Set(TestTable.targets.flatMap(\.tests)).sorted()
    for _ in 1...12 {
      try checkout.write(plan, paths: paths, targets: targets)
      Progress.print("building \(plan.mutants.count(where: \.isPlanted)) mutants")
      let errors = try checkout.build()
      if errors.isEmpty { return try checkout.testProgram() }
      let dropped = plan.drop(for: errors)
      Progress.print("\(dropped) mutants do not compile")
      if dropped == 0 {
        throw Failure(
          errors.prefix(5).map { "\($0.file):\($0.line): \($0.message)" }.joined(separator: "\n"))
      }
      try store(plan)
    }
    throw Failure("the copy does not compile; see \(checkout.log.path)")
  }
}
