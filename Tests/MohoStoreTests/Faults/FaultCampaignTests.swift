import Campaigns
import CommandTesting
import Foundation
import Testing

/// Performs the operations of a store on a file system that fails or loses power. A program of
/// its own does this, because the file system replaces that of its whole process.
@Suite struct FaultCampaignTests {
  /// Runs the program.
  ///
  /// - Parameter variable: The environment variable for the number of cases of each operation.
  private func run(
    _ words: [String], _ variable: String, short: Int, full: Int
  ) async throws -> Tool.Result {
    let folder = try TemporaryFolder()
    let seeds = Campaign.seeds(
      from: "MOHO_FAULT_SEED", default: UInt64.random(in: 0...999_999), count: 1)
    let count = Campaign.count(variable, short: short, full: full)
    return try await Tool("FaultCampaign").run(
      words + ["all", "\(count)", "\(seeds.lowerBound)"], in: folder)
  }

  /// The problems, with the arguments of the program that repeat them, or the last case if the
  /// program has ended before its summary.
  private func problems(_ result: Tool.Result) -> [String] {
    let lines = result.output.split(separator: "\n").map(String.init)
    let problems = lines.filter { $0.hasPrefix("problem: ") }
    if !problems.isEmpty { return problems }
    if lines.last?.hasPrefix("summary: ") == true { return [] }
    return ["status \(result.status) after \(lines.last ?? "the start"): \(result.errors)"]
  }

  @Test func aFaultLeavesTheStoreBeforeOrAfterTheOperation() async throws {
    let result = try await run(["sweep"], "MOHO_FAULTS", short: 2, full: 120)

    #expect(problems(result) == [])
    #expect(result.status == 0)
    #expect(!result.output.contains(" 0 failed calls"))
  }

  @Test(arguments: ["normal", "full"])
  func aLossOfPowerLeavesAStateInTheOrderOfCommits(durability: String) async throws {
    let result = try await run(
      ["power", durability], "MOHO_POWER_LOSSES", short: 2, full: 90)

    #expect(problems(result) == [])
    #expect(result.status == 0)
  }

  /// Shows that the campaign finds lost writes.
  @Test(arguments: [
    "power broken save 60 1", "sweep save write 1 ignored always",
  ])
  func aDiskThatPretendsToWriteIsNoticed(arguments: String) async throws {
    let folder = try TemporaryFolder()

    let result = try await Tool("FaultCampaign").run(
      arguments.split(separator: " ").map(String.init), in: folder)

    #expect(result.status != 0)
    #expect(problems(result) != [])
  }
}
