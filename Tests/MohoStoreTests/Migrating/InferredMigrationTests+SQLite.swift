import GRDB
import MohoMapping
import MohoRows
import MohoSQLite
import StoreTesting
import Testing

extension InferredMigrationTests {
  @Test(.engine(.sqlite)) func indexesAndDeleteRulesAreMadeWithoutCopyingRows() throws {
    let rules = try Self.rules.get()
    try database.open(rules[1])

    let log = StatementTrace()
    try database.queue.writeWithoutTransaction { $0.trace { event in log.add("\(event)") } }
    try database.open(rules[2])
    try database.queue.writeWithoutTransaction { $0.trace(options: []) }

    #expect(log.statements.contains { $0.hasPrefix("CREATE TRIGGER") })
    #expect(!log.statements.contains { $0.contains("INSERT INTO \"_moho new") })
  }

  @Test(.engine(.sqlite)) func anotherProcessMayMigrateMeanwhile() throws {
    try withStorePath { path in
      let old = Entity("Show", attributes: [Attribute("a", .string)])
      let new = Entity(
        "Show", attributes: [Attribute("a", .string), Attribute("b", .int64, default: .int64(1))])
      _ = try ModelStore(path: path, entities: [old])

      try atOnce(count: 4) {
        _ = try ModelStore(path: path, entities: [new])
      }

      let plan = try ModelStore.migrationPlan(path: path, entities: [new])
      #expect(plan.isEmpty)
    }
  }
}
