import Foundation
import MohoJSON
import MohoMapping
import MohoRows
import StoreTesting
import Testing

private struct Chunk: MappedModel, Equatable {
  var id: Int
  var token: String?

  static let mapping = Mapping(
    "Chunk", Chunk.init, .key("id", \.id, .unique), .key("token", \.token, .documentOnly))
}

private struct Upload: MappedModel, Equatable {
  var id: Int
  var title = "x"
  var token: String?
  var retries = 3
  var title2 = "y"
  var chunk: Chunk?

  static let mapping = Mapping(
    "Upload", Upload.init,
    .key("id", \.id, .unique), .key("title", \.title),
    .key("token", \.token, .documentOnly),
    .key("retries", \.retries, default: 3, .documentOnly),
    .key("title2", \.title2), .key("chunk", \.chunk))
}

private struct Folder: MappedModel, Equatable {
  var id: Int
  var uploads: [Upload] = []
  var secret: String?

  static let mapping = Mapping<Folder>(
    "Folder", Folder.init,
    .key("id", \.id, .unique), .toMany("uploads", \.uploads),
    .key("secret", \.secret, .documentOnly)
  )
  .validating("a folder with a number above 0") { $0.id > 0 }
}

private struct Strict: MappedModel, Equatable {
  var id: Int
  var token: String

  static let mapping = Mapping(
    "Strict", Strict.init, .key("id", \.id, .unique), .key("token", \.token, .documentOnly))
}

@Suite(.allEngines) struct DocumentOnlyKeyTests {
  private let store: ModelStore
  private let upload = Upload(
    id: 1, title: "a", token: "t", retries: 5, title2: "b", chunk: Chunk(id: 2, token: "p"))
  private let stored = Upload(id: 1, title: "a", title2: "b", chunk: Chunk(id: 2))

  init() throws { store = try emptyStore(Folder.self, Upload.self) }

  @Test func documentsHoldTheKeyAndAStoreDoesNot() throws {
    let json = #"""
      {"id":1,"title":"a","token":"t","retries":5,"title2":"b","chunk":{"id":2,"token":"p"}}
      """#
    let adapter = JSONAdapter<Upload>()

    #expect(try adapter.text(from: upload) == json)
    #expect(try adapter.model(from: json) == upload)
    #expect(Upload.mapping.keys.map(\.isStored) == [true, true, false, false, true, true])
    let columns = try store.columns(of: "Upload")
    #expect(Set(["id", "title", "title2", "chunk"]).isSubset(of: columns))
    #expect(!columns.contains("token") && !columns.contains("retries"))
  }

  @Test func savedModelsReadBackWithoutIt() throws {
    #expect(try store.write { try $0.save(upload) } == SaveReport(inserted: 1))
    var other = upload
    other.token = "another"

    #expect(try store.write { try $0.save(other) } == SaveReport(unchanged: 1))
    #expect(try store.fetch(ModelRequest<Upload>()) == [stored])
    let chunk = try store.values(
      "SELECT CAST(chunk ->> 'id' AS integer), chunk ->> 'token' FROM \"Upload\"")
    #expect(chunk == ["2|NULL"])
  }

  @Test func modelsInsideOthersAreSavedWithoutIt() throws {
    try store.write { try $0.save(Folder(id: 1, uploads: [upload], secret: "s")) }

    #expect(try store.fetch(ModelRequest<Folder>()) == [Folder(id: 1, uploads: [stored])])
  }

  @Test func jsonIsImportedWithoutIt() throws {
    let adapter = JSONAdapter<Upload>()
    let data = try adapter.data(from: [upload])

    try store.write { try $0.save(decoding: adapter.fields(from: data)) }

    #expect(try store.fetch(ModelRequest<Upload>()) == [stored])
  }

  @Test func partialModelsUpdateTheOtherKeys() throws {
    try store.write { try $0.save(upload) }
    var change = Partial<Upload>()
    change[\.id] = 1
    change[\.token] = "new"

    #expect(try store.write { try $0.update([change]) } == SaveReport(unchanged: 1))
    change[\.title] = "c"
    #expect(try store.write { try $0.update([change]) } == SaveReport(updated: 1))
    #expect(try store.fetch(ModelRequest<Upload>()).map(\.title) == ["c"])
  }

  @Test func rowsOfAContextDoNotHaveIt() throws {
    let context = EditingContext(store)
    let adapter = ManagedRowAdapter<Folder>()

    let row = try adapter.row(from: Folder(id: 1, uploads: [upload], secret: "s"), in: context)

    #expect(try adapter.model(from: row) == Folder(id: 1, uploads: [stored]))
    try adapter.update(row, from: Partial(Folder(id: 1, secret: "t")))
    try context.save()
    #expect(try store.fetch(ModelRequest<Folder>()) == [Folder(id: 1)])
    #expect(throws: StoreError.self) { try row.set(\Folder.secret, to: "x") }
    #expect(throws: StoreError.self) { try row[\Folder.secret] }
  }

  @Test func aConditionOnItIsAnError() throws {
    let request = ModelRequest<Upload>().filter { $0.token == "t" }

    #expect(throws: StoreError.self) { try store.fetch(request) }
  }

  @Test func aRequiredKeyWithoutADefaultIsAnIssue() throws {
    #expect(
      Strict.mapping.issues.map(\.description)
        == ["`token`: a key that is not stored must be optional or have a default"])
    #expect(throws: MappingError.self) { try emptyStore(Strict.self) }
  }
}
