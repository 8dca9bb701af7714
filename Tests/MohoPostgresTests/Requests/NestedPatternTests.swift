import Foundation
import MohoMapping
import MohoRows
import PostgresTesting
import StoreTesting
import Testing

@testable import MohoPostgres

private struct Note: MappedModel, Hashable {
  var day: Date?
  static let mapping = Mapping(
    "Note", Note.init, .key("day", \.day, .format("MMMM d, yyyy")))
}

private struct Entry: MappedModel, Hashable {
  var id: Int
  var note: Note
  static let mapping = Mapping(
    "Entry", Entry.init, .key("id", \.id, .unique), .key("note", \.note))
}

/// Dates of nested models whose format only the client can read.
@Suite(.requiresPostgres)
struct NestedPatternTests {
  @Test func `a condition on a date with a pattern is refused`() throws {
    let store = try ModelStore(postgres: PostgresServer.shared().emptySchema(), models: Entry.self)

    let error = #expect(throws: StoreError.self) {
      try store.fetchCount(ModelRequest<Entry>().filter { $0.note.day > Date.now })
    }

    #expect(error?.code == .invalidRequest)
    #expect(
      error?.reason
        == "PostgreSQL cannot read the date `day` with the pattern `MMMM d, yyyy`")
  }
}
