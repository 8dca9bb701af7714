import Campaigns
import MohoMapping
import MohoTesting
import StoreTesting
import Testing

@testable import MohoRows
@testable import MohoSQLite

/// Tests that SQL and in-memory evaluation select the same rows in the same
/// order, for random schemas, rows, conditions and orderings.
///
/// The environment variable `MOHO_REQUEST_SEED` runs a single seed,
/// `MOHO_REQUEST_SEEDS` runs a number of seeds.
@Suite(.allEngines) struct AgreementTests {
  private static var seeds: Range<UInt64> {
    let isSingle = Campaign.number("MOHO_REQUEST_SEED") != nil
    let count =
      isSingle
      ? 1
      : Campaign.count(
        "MOHO_REQUEST_SEEDS", short: TestedEngine.current == .sqlite ? 24 : 12, full: 60)
    return Campaign.seeds(from: "MOHO_REQUEST_SEED", count: count)
  }

  @Test func sqlAndMemoryAgree() throws {
    var (cases, hits) = (0, 0)
    for seed in Self.seeds {
      var values = RandomValues(
        generator: SeededGenerator(seed: seed),
        limits: TestedEngine.current == .sqlite ? RandomValues.Limits() : .postgres)
      let random = try RandomStore(&values)
      for number in 0..<60 {
        let entity = values.pick(random.store.schema.entities)
        var filters = RandomFilters(values, random.store.schema, entity)
        let request = filters.request(depth: 1 + number % 5)
        values = filters.values
        let name = "seed \(seed), case \(number): \(request.filter), \(request.orderings)"

        do {
          let stored = try random.store.fetchIdentities(request)
          let evaluator = try RequestEvaluator(
            request, in: random.store.schema, tokenizer: random.store.engine.textTokenizer)
          let evaluated = evaluator.result(of: random.rows[entity.name]).map(\.identity)
          try #require(stored == evaluated, "\(name)")
          #expect(try random.store.fetchCount(request) == stored.count, "\(name)")
          cases += 1
          if !stored.isEmpty && stored.count < random.rows[entity.name].count { hits += 1 }
        } catch let error as StoreError {
          Issue.record("\(name): \(error)")
          return
        }
      }
    }
    // Conditions that match all rows or no rows would agree by chance.
    #expect(hits > cases / 5, "\(hits) of \(cases)")
  }
}
