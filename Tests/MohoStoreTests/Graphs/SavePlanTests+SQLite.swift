import GRDB
import MohoMapping
import MohoRows
import MohoSQLite
import StoreTesting
import Testing

extension SavePlanTests {
  @Test(.engine(.sqlite)) func plansLeaveNoTrace() throws {
    let plan = try store.plan(saving: [changed])
    try store.apply(plan)

    let left = try store.writer.unsafeReentrantWrite { database in
      try String.fetchAll(
        database,
        sql: "SELECT name FROM sqlite_temp_schema WHERE name LIKE '%log%' OR type = 'trigger'")
    }

    #expect(left == [])
  }
}
