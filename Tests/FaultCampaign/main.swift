import CFaultyFiles
import Foundation
import MohoTesting

// Performs operations of a store on a file system that fails or loses power. Prints each problem
// with the arguments that repeat its case, and a summary of each operation. If a case ends the
// process, it is the last line of the output.

let usage = """
  usage: FaultCampaign sweep OPERATION [LIMIT [SEED]]
         FaultCampaign sweep OPERATION CALL NUMBER FAILURE [COUNT | always]
         FaultCampaign power DURABILITY OPERATION [LIMIT [SEED]]
         FaultCampaign power DURABILITY OPERATION EVENT LOSS SEED

  The operation `all` performs all of them, each with LIMIT random cases.

  """

func end(_ status: Int32, _ text: String) -> Never {
  FileHandle.standardError.write(Data(text.utf8))
  exit(status)
}

func report(_ line: String) { FileHandle.standardOutput.write(Data((line + "\n").utf8)) }

/// Runs cases, each for at most a minute.
///
/// - Returns: The number of cases with problems.
func run<Case: CustomStringConvertible>(
  _ name: String, _ cases: [Case], _ body: (Case) throws -> [String]
) throws -> Int {
  var failed = 0
  for item in cases {
    report("case: \(name) \(item)")
    // Ends the process if the case waits forever.
    alarm(60)
    let problems = try body(item)
    alarm(0)
    if problems.isEmpty { continue }
    failed += 1
    for problem in problems { report("problem: \(name) \(item): \(problem)") }
  }
  return failed
}

/// The number and the seed of random cases, from the arguments LIMIT and SEED.
struct Selection {
  /// The largest number of cases.
  let limit: Int
  let seed: UInt64

  init(_ words: [String]) {
    limit = words.first.flatMap { Int($0) } ?? .max
    seed = words.count > 1 ? UInt64(words[1]) ?? 0 : 0
  }
}

/// Performs an operation with the faults that arguments select.
func sweep(_ operation: Operation, in workspace: Workspace, _ words: [String]) throws -> Int {
  let name = "sweep \(operation)"
  let sweep = try FaultSweep(operation, in: workspace)
  let selection = Selection(words)
  var generator = SeededGenerator(seed: selection.seed)
  let faults =
    Fault(words).map { [$0] }
    ?? Array(sweep.faults.shuffled(using: &generator).prefix(selection.limit))
  var failures = 0
  let failed = try run(name, faults) { fault in
    let outcome = try sweep.run(fault)
    failures += outcome.failures
    return outcome.problems
  }
  report(
    "summary: \(name): \(faults.count) of \(sweep.faults.count) faults, \(failures) failed calls,"
      + " \(failed) cases with problems, seed \(selection.seed)")
  return failed
}

/// Loses power at the moments that arguments select.
func losePower(
  _ operation: Operation, _ durability: PowerLoss.Durability, in workspace: Workspace,
  _ words: [String]
) throws -> Int {
  let name = "power \(durability) \(operation)"
  let power = try PowerLoss(operation, durability, in: workspace)
  let selection = Selection(words)
  let moments =
    PowerLoss.Moment(words).map { [$0] }
    ?? power.moments(limit: selection.limit, seed: selection.seed)
  let failed = try run(name, moments) { power.problems($0) }
  report(
    "summary: \(name): \(moments.count) losses among \(power.events.count) changes of files,"
      + " \(failed) cases with problems, seed \(selection.seed)")
  return failed
}

var words = Array(CommandLine.arguments.dropFirst())
let isSweep = words.first == "sweep"
guard words.count >= 2, isSweep || words[0] == "power" else { end(64, usage) }
var durability = PowerLoss.Durability.normal
if !isSweep {
  guard let found = PowerLoss.Durability(rawValue: words.remove(at: 1)) else { end(64, usage) }
  durability = found
}
guard words.count >= 2 else { end(64, usage) }
guard
  let operations = words[1] == "all"
    ? Operation.allCases : Operation(rawValue: words[1]).map({ [$0] })
else { end(64, usage) }
words.removeFirst(2)
let folder = FileManager.default.temporaryDirectory.appending(path: "faults-\(UUID().uuidString)")
var failed = 0
do {
  try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
  defer { try? FileManager.default.removeItem(at: folder) }
  guard faulty_install() == 0 else { end(1, "SQLite has no file system\n") }
  let workspace = try Workspace(in: folder.path)
  for operation in operations {
    failed +=
      try isSweep
      ? sweep(operation, in: workspace, words)
      : losePower(operation, durability, in: workspace, words)
  }
} catch {
  end(1, "FaultCampaign: \(error)\n")
}
exit(failed == 0 ? 0 : 1)
