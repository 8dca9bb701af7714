import MohoMapping
import MohoRows
import StoreTesting
import Testing

private struct Chapter: Codable, Hashable {
  var title: String
  var start: Double?
}

private struct Recording: MappedModel, Equatable {
  var id: Int
  var chapters: [Chapter]
  var trailer: Chapter?

  static let mapping = Mapping(
    "Recording", Recording.init,
    .key("id", \.id, .unique),
    .key("chapters", \.chapters, .codable),
    .key("trailer", \.trailer, .codable))
}

@Suite(.allEngines) struct CodableKeyTests {
  @Test func codableValuesReadBackEqual() throws {
    let store = try emptyStore(Recording.self)
    let models = [
      Recording(
        id: 1, chapters: [Chapter(title: "One", start: 0.1), Chapter(title: "Two")],
        trailer: Chapter(title: "Trailer")),
      Recording(id: 2, chapters: [], trailer: nil),
    ]

    try store.write { try $0.save(models) }
    let report = try store.write { try $0.save(models) }

    #expect(try store.fetch(ModelRequest<Recording>().order(by: \.id)) == models)
    #expect(report == SaveReport(unchanged: 2))
  }
}
