import DocumentationTesting
import Moho
import Testing

/// The code of the article "Searching text", compiled and run.
@Suite struct SearchingTextTests: ArticleTests {
  let article = Article("Sources/MohoRows/MohoRows.docc/SearchingText.md")
  let transcript = Transcript()

  // snippet
  struct Episode: MappedModel {
    var id: Int
    var title: String
    var summary: String?
    var podcast: Podcast?

    static let mapping = Mapping(
      "Episode", Episode.init,
      .key("id", \.id, .unique), .key("title", \.title, .searchable),
      .key("summary", \.summary, .searchable), .toOne("podcast", \.podcast))
  }

  struct Podcast: MappedModel {
    var id: Int
    var name: String

    static let mapping = Mapping(
      "Podcast", Podcast.init,
      .key("id", \.id, .unique), .key("name", \.name, .searchable))
  }
  // end

  @Test func searching() throws {
    // snippet
    let store = try ModelStore(inMemory: Episode.self)
    let space = Podcast(id: 1, name: "Deep Space")
    try store.write { writer in
      try writer.save([
        Episode(id: 7, title: "The Moon landing", summary: "Apollo 11 lands.", podcast: space),
        Episode(id: 8, title: "Éclogite", summary: "A rock of Earth and Moon.", podcast: nil),
        Episode(id: 9, title: "Moonlight", summary: nil, podcast: space),
      ])
    }

    func find(_ text: String) throws -> [String] {
      let request = ModelRequest<Episode>().filter { $0.matches(text) }.order(by: \.id)
      return try store.fetch(request).map(\.title)
    }
    for text in ["moon", "apollo MOON", "eclogite", "moon*"] { print(try find(text)) }
    // end
    try article.expectOutput(of: transcript)
    // snippet
    let counts = try ["", "mo", "moon l", "moon land"].map { text in
      try store.fetchCount(
        ModelRequest<Episode>().filter { $0.matches(text, lastWord: .prefix) })
    }
    print(counts)
    print(SearchText(#"moon "apollo 11" la*"#))
    // end
    try article.expectOutput(of: transcript)
    // snippet
    let conditions: [(ModelKeys<Episode>) -> Filter] = [
      { $0.matches("moon", in: \.title) },
      { $0.matches("moon") && !$0.matches("rock") },
      { $0.podcast.matches("space") || $0.summary == nil },
    ]
    for condition in conditions {
      let request = ModelRequest<Episode>().filter(condition).order(by: \.id)
      print(request.filter, try store.fetch(request).map(\.id))
    }
    // end
    try article.expectOutput(of: transcript)
    try rank(store)
  }

  private func rank(_ store: ModelStore) throws {
    // snippet
    let request = ModelRequest<Episode>().filter { $0.matches("moon") }.order(by: .relevance)
    let rows = try store.fetchValues(request) {
      [$0.title.highlighted("[", "]"), $0.summary.snippet("[", "]", words: 3)]
    }
    for row in rows { print(row) }
    // end
    try article.expectOutput(of: transcript)
  }

  @Test func theArticleMatchesTheCode() throws {
    try article.expectCode()
  }
}
