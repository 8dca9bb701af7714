import CFaultyFiles
import Foundation
import MohoTesting
import PostgresTesting

// Performs operations of a store on a file system that fails or loses power, or with connections
// to a server whose messages are damaged. Prints each problem with the arguments that repeat its
// case, and a summary of each operation. If a case ends the process, it is the last line of the
// output.

let usage = """
  usage: FaultCampaign sweep OPERATION [LIMIT [SEED]]
         FaultCampaign sweep OPERATION CALL NUMBER FAILURE [COUNT | always]
         FaultCampaign power DURABILITY OPERATION [LIMIT [SEED]]
         FaultCampaign power DURABILITY OPERATION EVENT LOSS SEED
         FaultCampaign connection OPERATION [LIMIT [SEED]]
         FaultCampaign connection OPERATION SENDER NUMBER FAILURE [always]

  OPERATION is a name, several with commas, or `all`. Each has LIMIT random cases.

  """

func end(_ status: Int32, _ text: String) -> Never {
  FileHandle.standardError.write(Data(text.utf8))
  exit(status)
}

func report(_ line: String) { FileHandle.standardOutput.write(Data((line + "\n").utf8)) }

/// What cases have shown.
struct Tally {
  var cases = 0
  /// The number of calls or messages that have failed.
  var failures = 0
  var casesWithProblems = 0
}

/// Runs cases, each for at most half a minute, until a number of them has met a fault. The calls
/// of an operation vary: another run may not have the call that is to fail.
func run<Case: CustomStringConvertible>(
  _ name: String, _ cases: [Case], limit: Int = .max,
  _ body: (Case) throws -> (problems: [String], failures: Int)
) throws -> Tally {
  var tally = Tally()
  var metFaults = 0
  for item in cases {
    if metFaults == limit { break }
    report("case: \(name) \(item)")
    // Ends the process if the case waits forever.
    alarm(30)
    let (problems, failures) = try body(item)
    alarm(0)
    tally.cases += 1
    tally.failures += failures
    if failures > 0 { metFaults += 1 }
    if problems.isEmpty { continue }
    tally.casesWithProblems += 1
    for problem in problems { report("problem: \(name) \(item): \(problem)") }
  }
  return tally
}

/// The number and the seed of random cases, from the arguments LIMIT and SEED.
struct Selection {
  /// The largest number of cases, without those that meet no fault.
  let limit: Int
  let seed: UInt64

  init(_ words: [String]) {
    limit = words.first.flatMap { Int($0) } ?? .max
    seed = words.count > 1 ? UInt64(words[1]) ?? 0 : 0
  }

  /// Returns cases in a random order.
  func shuffled<Case>(_ cases: [Case]) -> [Case] {
    var generator = SeededGenerator(seed: seed)
    return cases.shuffled(using: &generator)
  }
}

/// Performs an operation with the faults that arguments select.
func sweep(_ operation: Operation, in workspace: Workspace, _ words: [String]) throws -> Int {
  let name = "sweep \(operation)"
  let sweep = try FaultSweep(operation, in: workspace)
  let selection = Selection(words)
  let faults = Fault(words).map { [$0] } ?? selection.shuffled(sweep.faults)
  let tally = try run(name, faults, limit: selection.limit) { fault in
    let outcome = try sweep.run(fault)
    return (outcome.problems, outcome.failures)
  }
  report(
    "summary: \(name): \(tally.cases) of \(sweep.faults.count) faults, \(tally.failures) failed"
      + " calls, \(tally.casesWithProblems) cases with problems, seed \(selection.seed)")
  return tally.casesWithProblems
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
  let tally = try run(name, moments) { (power.problems($0), failures: 1) }
  report(
    "summary: \(name): \(moments.count) losses among \(power.events.count) changes of files,"
      + " \(tally.casesWithProblems) cases with problems, seed \(selection.seed)")
  return tally.casesWithProblems
}

/// Performs an operation with the damaged messages that arguments select.
func damageMessages(
  _ operation: ServerOperation, in workspace: ServerWorkspace, _ words: [String]
) throws -> Int {
  let name = "connection \(operation)"
  let sweep = try ConnectionSweep(operation, in: workspace)
  let selection = Selection(words)
  let faults = ProxyFault(words).map { [$0] } ?? selection.shuffled(sweep.faults)
  let tally = try run(name, faults, limit: selection.limit) { fault in
    let outcome = try sweep.run(fault)
    let detail = outcome.detail ?? "undamaged"
    return (outcome.problems.map { "\($0) (\(detail))" }, outcome.failures)
  }
  let counts = ProxyFault.Sender.allCases.map { "\(sweep.counts[$0] ?? 0) of the \($0)" }
  report(
    "summary: \(name): \(tally.cases) of \(sweep.faults.count) faults of messages,"
      + " \(counts.joined(separator: " and ")), \(tally.failures) damaged messages,"
      + " \(tally.casesWithProblems) cases with problems, seed \(selection.seed)")
  return tally.casesWithProblems
}

/// Performs operations on files in a folder.
func damageFiles(_ words: [String]) throws -> Int {
  var words = words
  let isSweep = words.removeFirst() == "sweep"
  var durability = PowerLoss.Durability.normal
  if !isSweep {
    guard let name = words.first, let found = PowerLoss.Durability(rawValue: name) else {
      end(64, usage)
    }
    durability = found
    words.removeFirst()
  }
  let operations = operations(&words, Operation.allCases)
  let folder = FileManager.default.temporaryDirectory
    .appending(path: "faults-\(UUID().uuidString)")
  try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
  defer { try? FileManager.default.removeItem(at: folder) }
  guard faulty_install() == 0 else { end(1, "SQLite has no file system\n") }
  let workspace = try Workspace(in: folder.path)
  return try operations.reduce(0) { failed, operation in
    try failed
      + (isSweep
        ? sweep(operation, in: workspace, words)
        : losePower(operation, durability, in: workspace, words))
  }
}

/// Performs operations on a server.
func damageConnections(_ words: [String]) throws -> Int {
  var words = Array(words.dropFirst())
  let operations = operations(&words, ServerOperation.allCases)
  let workspace = try ServerWorkspace()
  return try operations.filter(workspace.operations.contains).reduce(0) { failed, operation in
    try failed + damageMessages(operation, in: workspace, words)
  }
}

/// Removes the names of operations from arguments.
func operations<Operation: RawRepresentable<String>>(
  _ words: inout [String], _ all: [Operation]
) -> [Operation] {
  if words.isEmpty { end(64, usage) }
  let name = words.removeFirst()
  if name == "all" { return all }
  let names = name.split(separator: ",").map(String.init)
  let operations = names.compactMap { Operation(rawValue: $0) }
  guard operations.count == names.count else { end(64, usage) }
  return operations
}

let words = Array(CommandLine.arguments.dropFirst())
var failed = 0
do {
  switch words.first {
  case "sweep", "power": failed = try damageFiles(words)
  case "connection": failed = try damageConnections(words)
  default: end(64, usage)
  }
} catch {
  end(1, "FaultCampaign: \(error)\n")
}
exit(failed == 0 ? 0 : 1)
