import Foundation
import MohoMapping
import StoreTesting
import Testing

@testable import MohoRows

private struct Memo: MappedModel {
  var text: String

  static let mapping = Mapping("Memo", Memo.init, .key("text", \.text))
}

@Suite(.allEngines, .timeLimit(.minutes(20))) struct StoreCommitsTests {
  private let store: ModelStore

  init() throws {
    store = try emptyStore(Memo.self)
  }

  private func insert(_ text: String) throws {
    try store.write { try $0.save(Memo(text: text)) }
  }

  @Test func commitsAreReportedInOrder() async throws {
    var commits = try await store.commits().makeAsyncIterator()

    try insert("a")
    let first = try await commits.next()
    try store.execute(#"INSERT INTO "Memo" (text) VALUES ('b')"#)
    let second = try await commits.next()

    #expect(first?.rows == ["Memo": [1]])
    #expect(second?.rows == ["Memo": [2]])
    #expect(second?.isComplete == true)
  }

  @Test func unreportedCommitsAreMerged() async throws {
    var commits = try await store.commits().makeAsyncIterator()

    for text in ["a", "b", "c"] { try insert(text) }
    let told = try await commits.next()
    try insert("d")

    #expect(told?.rows == ["Memo": [1, 2, 3]])
    #expect(try await commits.next()?.rows == ["Memo": [4]])
  }

  @Test func mergedCommitsReportTheValuesBeforeTheFirst() async throws {
    try insert("a")
    var commits = try await store.commits().makeAsyncIterator()

    try store.execute(#"UPDATE "Memo" SET text = 'x'"#)
    try store.execute(#"UPDATE "Memo" SET text = 'y'; INSERT INTO "Memo" (text) VALUES ('b')"#)
    try store.execute(#"DELETE FROM "Memo" WHERE text = 'b'"#)
    let rows = try await commits.next()?.tables["Memo"]

    var once = try await store.commits().makeAsyncIterator()
    try store.execute(#"UPDATE "Memo" SET text = 'a'"#)
    try store.execute(#"UPDATE "Memo" SET text = 'z'"#)
    let again = try await once.next()?.tables["Memo"]

    #expect(rows?.before[2] == .absent)
    if case .row(let former)? = rows?.before[1], case .row(let later)? = again?.before[1] {
      #expect(former != later)
    } else {
      Issue.record("what the row held is not known: \(String(describing: rows))")
    }
  }

  @Test func theSequenceEndsWithItsTask() async throws {
    let commits = try await store.commits()
    let task = Task {
      var count = 0
      for try await _ in commits { count += 1 }
      return count
    }
    task.cancel()

    #expect(try await task.value == 0)
  }

  @Test func observingInsideATransactionIsAnError() throws {
    let error = #expect(throws: StoreError.self) {
      try store.write { _ in _ = try store.commits() }
    }
    #expect(error?.code == .invalidRequest)
  }
}
