import MohoMapping
import StoreTesting
import Testing

@testable import MohoRows
@testable import MohoSQLite

extension StoreCommitsTests {
  @Test(.engine(.sqlite)) func nothingIsReportedWithoutSubscribers() async throws {
    let store = try emptyStore(entities: Entity("Memo", attributes: []))
    do {
      _ = try await store.commits()
    }
    #expect(try !store.sqlite.commitFeed.isSubscribed)
  }
}
