import MohoChanges
import MohoMapping
import MohoResults
import MohoRows
import PostgresTesting
import StoreTesting
import Testing

@testable import MohoPostgres

/// Connections that are lost while observers receive a commit.
@Suite(.requiresPostgres, .timeLimit(.minutes(20)))
struct InterruptedStepTests {
  private final class Observer: Sendable {}

  @Test func `a controller that could not read a commit reads it again`() async throws {
    let url = try PostgresServer.shared().emptySchema()
    let store = try ModelStore.stories(url)
    let other = try AdministratorConnection(url)
    try other.execute(
      "INSERT INTO \"Story\" (id, title, pages) SELECT i, '', i FROM generate_series(1, 5) i")
    // Ends the connection of the listener while it reports an exact commit. The
    // commit after the new connection is not exact.
    let (observer, subscription) = try store.observe({ _ in Observer() }) { _, commit, _ in
      guard (try? commit.get().isComplete) ?? false else { return }
      _ = try? other.execute(
        """
        SELECT pg_terminate_backend(pid, 10000) FROM pg_stat_activity
        WHERE application_name = '_moho ' || current_schema()
        """)
    }
    let all = ModelRequest<Story>().order(by: \.pages)
    let controller = try await ResultsController(all, in: store)
    let known = controller.snapshot
    var updates = controller.updates(since: known).makeAsyncIterator()

    try await store.write { try $0.delete(ModelRequest<Story>().filter { $0.id == 3 }) }

    var update: ResultsUpdate<Story>?
    while update == nil { update = try? await updates.next() }
    #expect(update?.after.index.rowIDs.elementsEqual([1, 2, 4, 5]) ?? false)
    withExtendedLifetime((observer, subscription)) {}
  }

  @Test func `a listener does not prevent the server from deleting notifications for hours`() throws
  {
    let store = try ModelStore.stories(PostgresServer.shared().emptySchema())
    let timeout = try store.readNewest { reader in
      try reader.postgres.connection.query("SHOW idle_in_transaction_session_timeout").first?
        .string(0)
    }
    #expect(timeout == "1min")
  }
}
