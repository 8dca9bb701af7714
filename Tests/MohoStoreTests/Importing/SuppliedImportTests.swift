import Foundation
import MohoJSON
import MohoMapping
import MohoRows
import StoreTesting
import Testing

/// Tests that models whose identity contains a value of the adapter are stored by it.
@Suite(.allEngines) struct SuppliedImportTests {
  private struct Post: MappedModel, Equatable {
    var server: String
    var id: Int
    var text: String?
    var reply: ModelReference<Post>?

    static let mapping = Mapping<Post>(
      "Post", Post.init, .key("server", \.server, .storeOnly), .key("id", \.id),
      .key("text", \.text), .toOne("reply", \.reply)
    )
    .identified(by: \.server, \.id)
  }

  private let request = ModelRequest<Post>().order(by: \.server).order(by: \.id)

  private func adapter(_ server: String) -> JSONAdapter<Post> {
    JSONAdapter<Post>().setting(\.server, to: server)
  }

  @Test func twoServersHaveRowsOfTheirOwn() throws {
    let store = try emptyStore(Post.self)
    let first = Data(#"[{"id":1,"text":"a"},{"id":2,"reply":1}]"#.utf8)
    let second = Data(#"[{"id":1,"text":"b"},{"id":1,"text":"c"}]"#.utf8)

    try store.write { writer in
      try writer.save(decoding: adapter("x").fields(from: first))
      try writer.save(adapter("y").models(from: second))
    }

    let stored = [
      Post(server: "x", id: 1, text: "a"),
      Post(server: "x", id: 2, reply: try ModelReference(key: "x", 1)),
      Post(server: "y", id: 1, text: "c"),
    ]
    #expect(try store.fetch(request) == stored)
    let again = try store.write { try $0.save(decoding: adapter("x").fields(from: first)) }
    #expect(again == SaveReport(unchanged: 2))
  }

  @Test func partialModelsUpdateTheRowOfTheirServer() throws {
    let store = try emptyStore(Post.self)
    try store.write {
      try $0.save([Post(server: "x", id: 1, text: "a"), Post(server: "y", id: 1, text: "b")])
    }

    let change = try adapter("y").partial(from: #"{"id":1,"text":"z"}"#)

    #expect(try store.write { try $0.update([change]) } == SaveReport(updated: 1))
    #expect(try store.fetch(request).map(\.text) == ["a", "z"])
  }

  @Test func aPropertyThatIsNotAKeyCannotBeUpdated() throws {
    let store = try emptyStore(Post.self)
    try store.write { try $0.save(Post(server: "x", id: 1, text: "a")) }
    var change = Partial(Post(server: "x", id: 1, text: "b"))
    change[\.text?.count] = .some(4)

    let update = #expect(throws: MappingError.self) {
      try store.write { try $0.update([change]) }
    }
    let save = #expect(throws: MappingError.self) { try store.write { try $0.upsert([change]) } }

    #expect([update?.code, save?.code] == [.unknownKey, .unknownKey])
    #expect(try store.fetch(request).map(\.text) == ["a"])
  }
}
