import Campaigns
import MohoMapping
import MohoTesting
import PostgresTesting
import Testing

@testable import MohoPostgres
@testable import MohoRows

/// Tests that SQL and in-memory evaluation select the same rows in the same
/// order, for random schemas, rows, conditions and orderings.
///
/// The environment variable `MOHO_REQUEST_SEED` runs a single seed,
/// `MOHO_REQUEST_SEEDS` runs a number of seeds.
@Suite(.enabled(if: !PostgresServer.isSkipped))
struct AgreementTests {
  private static let seeds: Range<UInt64> = {
    let isSingle = Campaign.number("MOHO_REQUEST_SEED") != nil
    let count = isSingle ? 1 : Campaign.count("MOHO_REQUEST_SEEDS", short: 12, full: 60)
    return Campaign.seeds(from: "MOHO_REQUEST_SEED", count: count)
  }()

  @Test func `SQL and memory agree`() throws {
    var (cases, hits) = (0, 0)
    var failures = 0
    for seed in Self.seeds {
      var values = RandomValues(generator: SeededGenerator(seed: seed), limits: .postgres)
      let random = try RandomPostgresStore(&values)
      for number in 0..<60 {
        let entity = values.pick(random.store.schema.entities)
        var filters = RandomFilters(values, random.store.schema, entity)
        let request = filters.request(depth: 1 + number % 5)
        values = filters.values
        let name = "seed \(seed), case \(number): \(request.filter), \(request.orderings)"

        do {
          let stored = try random.store.fetchIdentities(request)
          let evaluator = try RequestEvaluator(request, in: random.store.schema)
          let rows = random.rows[entity.name] ?? []
          let evaluated = evaluator.result(of: rows).map(\.identity)
          if stored != evaluated {
            let sql = try? random.store.explain(request)
            Issue.record("\(name): \(stored) != \(evaluated) \(sql?.sql ?? "")")
            failures += 1
            if failures > 15 { return }
            continue
          }
          #expect(try random.store.fetchCount(request) == stored.count, "\(name)")
          cases += 1
          if !stored.isEmpty && stored.count < rows.count { hits += 1 }
        } catch let error as StoreError {
          Issue.record("\(name): \(error) \((error.underlying as? PostgresError)?.sql ?? "")")
          failures += 1
          if failures > 15 { return }
        }
      }
    }
    // Conditions that match all rows or no rows would agree by chance.
    #expect(hits > cases / 5, "\(hits) of \(cases)")
  }
}
