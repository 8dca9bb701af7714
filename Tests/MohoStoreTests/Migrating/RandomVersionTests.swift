import Campaigns
import MohoTesting
import StoreTesting
import Testing

/// Keys come, go and come back with another type and another name, and their values are
/// transformed and converted. Older versions open the store again. No member of a document
/// is lost without being named in a plan.
@Suite(.allEngines) struct RandomVersionTests {
  @Test(
    arguments: Campaign.seeds(
      from: "MOHO_VERSION_SEED", count: Campaign.count(short: 1, full: 300)))
  func noMemberIsLostWithoutBeingNamed(seed: UInt64) throws {
    var history = try VersionHistory(seed: seed)
    for version in 1...8 {
      try history.nextVersion("seed \(seed), version \(version), \(history.kinds)")
      try history.save("seed \(seed), version \(version)")
      try history.openFormerVersion("seed \(seed), before version \(version)")
    }
    if Campaign.isRunning { print("versions \(seed): \(history.counts)") }
  }
}
