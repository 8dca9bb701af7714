import Fixtures
import GRDB
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

  @Test(.engine(.sqlite)) func anErrorIsNotReplacedByLaterCommits() async throws {
    let store = try emptyStore(Episode.self)
    try await store.write { try $0.save(Episode.number(1)) }
    var commits = try await store.commits().makeAsyncIterator()
    try await store.writer.write { try $0.execute(sql: "CREATE TEMP TABLE Episode (x)") }
    try await store.writer.write { try $0.execute(sql: "UPDATE main.Episode SET title = 'new'") }
    try await store.writer.write { try $0.execute(sql: "DROP TABLE temp.Episode") }
    try await store.write { try $0.save(Episode.number(1)) }

    var failure: StoreError?
    do { _ = try await commits.next() } catch let error as StoreError { failure = error }
    #expect(failure?.code == .invalidConnection)
  }
}
