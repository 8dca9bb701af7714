import MohoMapping
import MohoRows
import StoreTesting
import Testing

/// Structured text contains store-only keys beside members that it adds itself.
@Suite(.allEngines) struct StoreOnlyNameTests {
  @Test func storeOnlyKeysCanHaveEveryName() throws {
    let store = try emptyStore(Crate.self)
    let crate = Crate(
      id: 1, label: Crate.Label(json: #"{"a":1}"#),
      content: Crate.Content(
        order: 3, member: 4, others: ["_moho_ a": 0, "b": 1, "a": 2, "_moho_order": 5]))

    try store.write { try $0.save(crate) }

    #expect(try store.fetch(ModelRequest<Crate>()) == [crate])
    #expect(try store.write { try $0.save(crate) } == SaveReport(unchanged: 1))
  }
}

private struct Crate: MappedModel, Equatable {
  struct Label: MappedModel, Equatable {
    let json: String

    static let mapping = Mapping("Label", Label.init, .key("json", \.json, default: "", .storeOnly))
  }

  struct Content: MappedModel, Equatable {
    let order: Int
    let member: Int
    let others: JSONValue

    static let mapping = Mapping(
      "Content", Content.init, .key("order", \.order, default: 0, .storeOnly),
      .key("member _moho_ a", \.member, default: 0, .storeOnly), .unknown("others", \.others))
  }

  let id: Int
  let label: Label
  let content: Content

  static let mapping = Mapping(
    "Crate", Crate.init, .key("id", \.id, .unique), .key("label", \.label),
    .key("content", \.content))
}
