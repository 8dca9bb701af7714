import Foundation
import MohoMapping
import MohoRows
import StoreTesting
import Testing

private struct Status: MappedModel, Hashable {
  var id: Int
  var text: String
  @Indirect var boost: Status?

  static let mapping = Mapping(
    "Status", Status.init,
    .key("id", \.id, .unique), .key("text", \.text), .key("boost", \.boost))
}

private struct Comment: MappedModel, Hashable {
  var id: Int
  var text: String
  @Indirect var parent: Comment?
  var first: Indirect<Comment>?

  static let mapping = Mapping(
    "Comment", Comment.init,
    .key("id", \.id, .unique), .key("text", \.text), .toOne("parent", \.parent),
    .toOne("first", \.first))
}

/// Structs that contain themselves, in rows.
@Suite(.allEngines) struct IndirectKeyTests {
  @Test func `a nested model of the same type is stored in its row`() throws {
    let store = try emptyStore(Status.self)
    let inner = Status(id: 2, text: "b", boost: Status(id: 3, text: "c", boost: nil))
    let models = [Status(id: 1, text: "a", boost: inner), Status(id: 4, text: "d", boost: nil)]

    try store.write { try $0.save(models) }
    let report = try store.write { try $0.save(models) }

    #expect(try store.fetch(ModelRequest<Status>().order(by: \.id)) == models)
    #expect(report == SaveReport(unchanged: 2))
  }

  @Test func `a change of a nested model of the same type is saved`() throws {
    let store = try emptyStore(Status.self)
    var status = Status(id: 1, text: "a", boost: Status(id: 2, text: "b", boost: nil))
    try store.write { try $0.save(status) }

    status.boost?.text = "c"
    try store.write { try $0.save(status) }

    #expect(try store.fetch(ModelRequest<Status>()) == [status])
  }

  @Test func `a related model of the same type has a row`() throws {
    let store = try emptyStore(Comment.self)
    let root = Comment(id: 1, text: "a", parent: nil, first: nil)
    let reply = Comment(id: 2, text: "b", parent: root, first: Indirect(root))

    try store.write { try $0.save(reply) }

    #expect(try store.fetch(ModelRequest<Comment>().order(by: \.id)) == [root, reply])
    let replies = ModelRequest<Comment>().filter { $0.parent.id == 1 }
    #expect(try store.fetch(replies) == [reply])
  }
}
