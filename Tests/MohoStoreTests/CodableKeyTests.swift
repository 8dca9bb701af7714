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

private struct Annotation: Codable, Hashable {
  var any: JSONValue
}

private struct AnnotatedPage: MappedModel, Equatable {
  var id: Int
  var note: Annotation
  static let mapping = Mapping(
    "AnnotatedPage", AnnotatedPage.init, .key("id", \.id, .unique), .key("note", \.note, .codable))
}

private struct AnnotatedBook: MappedModel, Equatable {
  var id: Int
  var note: Annotation
  var pages: [AnnotatedPage]
  static let mapping = Mapping(
    "AnnotatedBook", AnnotatedBook.init, .key("id", \.id, .unique), .key("note", \.note, .codable),
    .toMany("pages", \.pages))
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

  /// Structured text would sort the members.
  @Test func anyJSONInsideACodableValueIsReadInItsOrder() throws {
    let store = try emptyStore(AnnotatedBook.self)
    let note = Annotation(any: ["b": 1, "a": [["d": 2, "c": 3]]])
    let page = AnnotatedPage(id: 1, note: note)
    let book = AnnotatedBook(id: 2, note: note, pages: [page])

    try store.write { try $0.save(book) }

    #expect(try store.fetch(ModelRequest<AnnotatedPage>()) == [page])
    #expect(try store.fetch(ModelRequest<AnnotatedBook>()) == [book])
  }
}
