import GRDB
import MohoMapping
import MohoRows
import MohoSQLite
import StoreTesting
import Testing

extension StructuredValueTests {
  @Test(.engine(.sqlite)) func theTextIsJSONThatSQLiteReads() throws {
    let store = try emptyStore(Clip.self)
    try store.write { try $0.save(clips) }

    let found = try store.writer.read { database in
      try (
        Int.fetchAll(
          database, sql: "SELECT Clip.id FROM \"Clip\", json_each(tags) WHERE value = 'é'"),
        String.fetchOne(database, sql: "SELECT span FROM \"Clip\" WHERE id = 2"),
        String.fetchOne(database, sql: "SELECT labels FROM \"Clip\" WHERE id = 2")
      )
    }

    #expect(found.0 == [2])
    #expect(found.1 == #"{"_moho_mark":"kept","at":{"start":3},"length":4}"#)
    #expect(found.2 == #"["a","b","m","z"]"#)
  }

  @Test(.engine(.sqlite)) func aTextWithANullCharacterIsStored() throws {
    let store = try emptyStore(Clip.self)
    let clip = Clip(id: 1, tags: ["a\0b"])

    try store.write { try $0.save(clip) }

    #expect(try store.fetch(ModelRequest<Clip>()) == [clip])
  }

  @Test(.engine(.sqlite)) func aTextThatIsNotJSONIsAnError() throws {
    let store = try emptyStore(Clip.self)
    try store.write { try $0.save(clips[0]) }
    try store.execute("UPDATE Clip SET tags = 'x'")

    let error = #expect(throws: MappingError.self) { try store.fetch(ModelRequest<Clip>()) }

    let expected = "expected JSON array - `Clip.tags` at /Clip/1/tags"
    #expect(error?.description.hasSuffix(expected) == true, "\(error.map { "\($0)" } ?? "")")
  }
}
