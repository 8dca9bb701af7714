import GRDB
import MohoMapping
import MohoRows
import MohoSQLite
import StoreTesting
import Testing

private typealias Show = Shows.Show

extension RequestResultTests {
  @Test(.engine(.sqlite)) func explanationsShowStatementValuesAndPlan() throws {
    let request = RowRequest("Show")
      .filter { $0["number"] > 1 && $0["podcast"]["title"] == "x" }.order(by: "season")

    let explanation = try store.explain(request)

    let lines = explanation.description.split(separator: "\n").map(String.init)
    #expect(
      lines.first?.hasSuffix(
        #"FROM "Show" AS t0 LEFT JOIN "Podcast" AS t1 ON t1."_moho_id" = t0."podcast""#
          + #" WHERE (t0."number" > ?1 AND t1."title" = ?2) ORDER BY t0."season", t0."id""#)
        == true, "\(explanation)")
    #expect(lines[1...2] == ["?1 = 1", "?2 = \"x\""])
    #expect(explanation.plan.contains { $0.contains("t0") })
  }

  @Test(.engine(.sqlite), arguments: [Ordering.Direction.ascending, .descending])
  func anIndexHasTheOrderInBothDirections(direction: Ordering.Direction) throws {
    let explanation = try store.explain(shows.order(by: \.season, direction))

    #expect(explanation.indexes == ["Show(season)"], "\(explanation)")
    #expect(!explanation.plan.contains { $0.contains("TEMP B-TREE") }, "\(explanation)")
  }

  @Test(.engine(.sqlite)) func explanationsNameTheIndexThatIsUsedOrMissing() throws {
    let used = try store.explain(shows.filter { $0.season == 2 })
    let missing = try store.explain(
      shows.filter { $0.number == 2 && $0.length > 3 }.order(by: \.title))
    let sorted = try store.explain(shows.order(by: \.publishedAt))
    let identity = try store.explain(shows.filter { $0.id == 2 })

    #expect(used.indexes == ["Show(season)"])
    #expect(used.suggestedIndex == [])
    #expect(missing.indexes == [])
    #expect(missing.suggestedIndex == ["number", "length"])
    #expect(missing.description.hasSuffix("an index on `Show` (`number`, `length`) would help"))
    #expect(sorted.suggestedIndex == ["publishedAt"])
    #expect(identity.suggestedIndex == [])
  }

  @Test(.engine(.sqlite)) func theSuggestedIndexHelps() throws {
    let request = shows.filter { $0.number == 2 && $0.length > 3 }
    let keys = try store.explain(request).suggestedIndex

    try store.writer.write { database in
      try database.execute(sql: "CREATE INDEX helpful ON Show (\(keys.joined(separator: ", ")))")
    }

    #expect(try store.explain(request).indexes == ["helpful"])
  }

  @Test(.engine(.sqlite)) func relatedRowsAreReadByTheirIndexes() throws {
    let plans = try [
      store.explain(shows.filter { $0.chapters.any { $0.start > 1 } }),
      store.explain(RowRequest("Chapter").filter { $0["show"]["podcast"]["title"] == "x" }),
    ].map(\.plan)

    for plan in plans {
      #expect(plan.filter { $0.contains("SCAN") } == ["SCAN t0"], "\(plan)")
    }
  }

  @Test(.engine(.sqlite)) func stepsOfASubqueryAreIndentedOnce() throws {
    let plan = try store.explain(shows.filter { $0.chapters.count > 1 }).plan

    #expect(plan.first == "SCAN t0", "\(plan)")
    #expect(plan.contains { $0.hasPrefix("  SEARCH t") }, "\(plan)")
  }

  @Test(.engine(.sqlite)) func aRequestIsOneStatement() throws {
    let store = store
    let counter = StatementCounter()
    try store.writer.write { database in
      database.trace { event in
        if case .statement = event { counter.count += 1 }
      }
    }
    let request = shows.filter { $0.podcast.isActive == true && $0.chapters.any { $0.start > 1 } }
      .order { $0.podcast.title }

    _ = try store.read { reader in
      counter.count = 0
      _ = try reader.fetchIdentities(request)
      return 0
    }

    #expect(counter.count == 1)
  }
}

private final class StatementCounter: @unchecked Sendable {
  var count = 0
}
