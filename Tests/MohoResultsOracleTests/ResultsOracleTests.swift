import Campaigns
import Testing

/// Random transactions, checked by an oracle that shares no code with the controllers,
/// the requests or `MohoTesting`.
@Suite struct ResultsOracleTests {
  /// `MOHO_RESULTS_ORACLE_STEPS` sets the number of transactions and
  /// `MOHO_RESULTS_ORACLE_SEED` the first seed. Each seed runs
  /// `MOHO_RESULTS_ORACLE_LENGTH` transactions in a separate store.
  @Test func consumersAtAnyPaceReceiveTheChangesThatSQLShows() async throws {
    let total = Campaign.count("MOHO_RESULTS_ORACLE_STEPS", short: 100, full: 1_000)
    let length = Campaign.number("MOHO_RESULTS_ORACLE_LENGTH") ?? 1_000
    var seed = UInt64(Campaign.number("MOHO_RESULTS_ORACLE_SEED") ?? 1)
    var done = 0
    var failures = 0
    while done < total, failures < 20 {
      let run = try OracleRun(seed: seed)
      do {
        try await run.run(transactions: min(length, total - done))
      } catch {
        failures += 1
        Issue.record(error)
      }
      done += run.transactions
      seed += 1
    }
    if Campaign.number("MOHO_RESULTS_ORACLE_STEPS") != nil {
      print("results oracle: \(done) transactions, last seed \(seed - 1), \(failures) failures")
    }
  }
}
