import Campaigns
import CommandTesting
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
    let seeds = Campaign.seeds(
      from: "MOHO_FAULT_SEED", default: UInt64.random(in: 0...999_999), count: 1)
    let count = Campaign.count(variable, short: short, full: full)
    return try await FaultCampaignProgram.run(
      words + ["all", "\(count)", "\(seeds.lowerBound)"])
  }

  @Test func aFaultLeavesTheStoreBeforeOrAfterTheOperation() async throws {
    let result = try await run(["sweep"], "MOHO_FAULTS", short: 2, full: 120)

    #expect(result.campaignProblems == [])
    #expect(result.status == 0)
    #expect(!result.output.contains(" 0 failed calls"))
  }

  @Test(arguments: ["normal", "full"])
  func aLossOfPowerLeavesAStateInTheOrderOfCommits(durability: String) async throws {
    let result = try await run(
      ["power", durability], "MOHO_POWER_LOSSES", short: 2, full: 90)

    #expect(result.campaignProblems == [])
    #expect(result.status == 0)
  }

  /// Shows that the campaign finds lost writes.
  @Test(arguments: [
    "power broken save 60 1", "sweep save write 1 ignored always",
  ])
  func aDiskThatPretendsToWriteIsNoticed(arguments: String) async throws {
    let result = try await FaultCampaignProgram.run(
      arguments.split(separator: " ").map(String.init))

    #expect(result.status != 0)
    #expect(result.campaignProblems != [])
  }
}
