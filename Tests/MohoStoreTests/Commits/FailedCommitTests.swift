import Fixtures
import Foundation
import GRDB
import StoreTesting
import Testing

@testable import MohoRows
@testable import MohoSQLite

/// Tests transactions that end without a report to SQLite's observers.
@Suite(.timeLimit(.minutes(20))) struct FailedCommitTests {
  @Test func aReaderDoesNotWaitForACommitThatFailed() throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let store = try ModelStore(
      path: folder.appending(path: "store.sqlite").path, models: Episode.self)

    // GRDB calls this before a commit that fails, and makes no further calls.
    try store.sqlite.commitFeed.databaseWillCommit()

    #expect(try store.readSettled { _ in "read" } == "read")
  }

  @Test func rowsWrittenWhileAStatementReturnsRowsAreReported() throws {
    let store = try ModelStore(inMemory: Episode.self)
    try store.write { try $0.save([Episode.number(1), Episode.number(2)]) }
    let (rows, subscription) = try store.observe({ _ in RowLog() }) { log, commit, _ in
      log.rows.formUnion((try? commit.get().rows["Episode"]) ?? [])
    }

    try store.writer.writeWithoutTransaction { database in
      let cursor = try Row.fetchCursor(
        database, sql: "UPDATE Episode SET title = 'new' WHERE id = 1 RETURNING id")
      while try cursor.next() != nil {
        try database.execute(sql: "UPDATE Episode SET title = 'new' WHERE id = 2")
      }
    }

    #expect(rows.rows == [1, 2])
    withExtendedLifetime(subscription) {}
  }
}

/// The reported rows.
// `@unchecked`: used on the queue of a store in memory alone.
private final class RowLog: @unchecked Sendable {
  var rows: Set<Int64> = []
}
