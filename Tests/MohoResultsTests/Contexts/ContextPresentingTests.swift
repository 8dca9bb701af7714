import MohoMapping
import MohoResults
import MohoRows
import StoreTesting
import Testing

@MainActor @Suite(.allEngines, .timeLimit(.minutes(20))) struct ContextPresentingTests {
  @Test func externalCommitsArePresentedOnTheIsolationOfTheContext() async throws {
    let store = try emptyStore(Card.self)
    try await store.write { writer in
      try writer.save((1...3).map { Card(id: $0, deck: "A", rank: $0 * 10, title: "\($0)") })
    }
    let context = EditingContext(store)
    let results = try ContextResultsController(
      ModelRequest<Card>().order(by: \.rank), in: context)
    try context.delete(context.row(RowIdentity(entity: "Card", stored: 1)))
    let log = UpdateLog(results)
    let (reported, update) = AsyncStream.makeStream(of: String.self)
    log.onUpdate = { update.yield(log.changes.last ?? "") }

    let task = Task { try await results.present() }
    try await store.write { try $0.save(Card(id: 9, deck: "A", rank: 1, title: "nine")) }
    for await changes in reported {
      #expect(changes == "insert [0, 0]")
      break
    }
    task.cancel()
    try await task.value
  }
}
