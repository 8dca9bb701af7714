import MohoMapping
import PostgresTesting
import StoreTesting
import Testing

@testable import MohoPostgres
@testable import MohoRows

/// The columns of the statements that read a result.
@Suite(.requiresPostgres)
struct ResultReaderTests {
  struct Name: MappedModel {
    var id: Int
    var text: String

    static let mapping = Mapping("Name", Name.init, .key("id", \.id, .unique), .key("text", \.text))
  }

  private let store: ModelStore

  init() throws {
    store = try ModelStore(postgres: PostgresServer.shared().emptySchema(), models: Name.self)
    try store.write { writer in
      try writer.save([Name(id: 1, text: "b"), Name(id: 2, text: "a"), Name(id: 3, text: "b")])
    }
  }

  private static let request = RowRequest("Name").order(by: "text").order(by: "id")

  @Test func `all rows are read in sections`() throws {
    try store.read { reader in
      let result = try reader.session.resultReader(
        of: ResolvedRequest(Self.request, reader.schema), models: nil, isSectioned: true)
      var rowIDs: [[Int64]] = []
      var sections: [FieldContent?] = []

      try result.scan(reader, limit: nil) { batch, section in
        rowIDs.append(batch)
        sections.append(section)
      }

      #expect(rowIDs == [[2], [1, 3]])
      #expect(sections == [.string("a"), .string("b")])
    }
  }

  @Test(arguments: [true, false])
  func `some rows are read with the selected values`(isSectioned: Bool) throws {
    try store.read { reader in
      let request = try ResolvedRequest(
        Self.request, reader.schema, selecting: [.key(KeyName(["id"])), .key(KeyName(["text"]))])
      let result = try reader.session.resultReader(
        of: request, models: nil, isSectioned: isSectioned)
      var values: [Int64: [FieldContent]] = [:]

      try result.forEachRow(among: [1, 2], reader) { values[$0] = $1 }

      #expect(values == [1: [.int64(1), .string("b")], 2: [.int64(2), .string("a")]])
    }
  }
}
