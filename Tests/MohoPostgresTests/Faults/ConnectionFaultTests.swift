import Campaigns
import CommandTesting
import MohoTesting
import StoreTesting
import Testing

/// Performs the operations of a store while a proxy damages a message between the store and the
/// server. A program of its own does this, so that a crash or an endless wait names its case.
@Suite(.requiresPostgres)
struct ConnectionFaultTests {
  private static let shortOperations = [
    "open", "openEncrypted", "openWithPassword", "read", "saveOne", "saveGraph", "saveContext",
    "importModels", "observe", "follow", "update",
  ]

  @Test func aDamagedMessageLeavesTheStoreBeforeOrAfterTheOperation() async throws {
    let seed = Campaign.seeds(
      from: "MOHO_FAULT_SEED", default: UInt64.random(in: 0...999_999), count: 1
    ).lowerBound
    let count = Campaign.count("MOHO_CONNECTION_FAULTS", short: 2, full: 30)
    var generator = SeededGenerator(seed: seed)
    let some = Self.shortOperations.shuffled(using: &generator).prefix(3)
    let operations = count > 2 ? "all" : some.joined(separator: ",")

    let result = try await FaultCampaignProgram.run(
      ["connection", operations, "\(count)", "\(seed)"])

    #expect(result.campaignProblems == [])
    #expect(result.status == 0)
  }
}
