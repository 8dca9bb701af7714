import DocumentationTesting
import Foundation
import Moho
import Testing

/// The code of the article "Fetching and sectioning", compiled and run.
@Suite struct FetchingAndSectioningTests: ArticleTests {
  let article = Article("Sources/MohoResults/MohoResults.docc/FetchingAndSectioning.md")
  let transcript = Transcript()
  let store: ModelStore

  // snippet
  struct Podcast: MappedModel {
    var id: Int
    var title: String

    static let mapping = Mapping(
      "Podcast", Podcast.init, .key("id", \.id, .unique), .key("title", \.title))
  }

  struct Episode: MappedModel {
    var id: Int
    var title: String
    var minutes: Int
    var podcast: ModelReference<Podcast>?

    static let mapping = Mapping(
      "Episode", Episode.init,
      .key("id", \.id, .unique), .key("title", \.title, .indexed), .key("minutes", \.minutes),
      .toOne("podcast", \.podcast))
  }
  // end

  init() throws {
    // snippet
    let store = try ModelStore(inMemory: Podcast.self, Episode.self)
    try store.write { writer in
      try writer.save([
        Podcast(id: 1, title: "Deep Time"), Podcast(id: 2, title: "Crust"),
      ])
      try writer.save([
        Episode(id: 1, title: "Basalt", minutes: 42, podcast: ModelReference(key: 1)),
        Episode(id: 2, title: "Ash", minutes: 28, podcast: ModelReference(key: 1)),
        Episode(id: 3, title: "Gneiss", minutes: 31, podcast: ModelReference(key: 2)),
        Episode(id: 4, title: "Granite", minutes: 55, podcast: ModelReference(key: 2)),
      ])
    }
    // end
    self.store = store
  }

  @Test func batches() throws {
    // snippet
    let request = ModelRequest<Episode>().order(by: \.title).batchSize(2)
    let controller = try ResultsController(request, in: store, startingWith: .firstBatch)
    let first = controller.snapshot
    print(try first.model(at: RowPath(section: 0, row: 0)).title)
    // end
    try article.expectOutput(of: transcript)
  }

  @Test func summaries() async throws {
    // snippet
    let summarized = try await ResultsController(
      ModelRequest<Episode>().order { $0.podcast.title }.order(by: \.title), in: store,
      sectionedBy: { $0.podcast.title }, summaries: { [.count, .sum($0.minutes)] })
    let before = summarized.snapshot
    for section in before.sections {
      print(section.name, section.summary?.description ?? "")
    }

    try await store.write { writer in
      try writer.save(
        Episode(id: 5, title: "Ash", minutes: 30, podcast: ModelReference(key: 2)))
    }
    for try await update in summarized.updates(since: before) {
      print(update.changes)
      break
    }
    // end
    try article.expectOutput(of: transcript)
  }

  @Test func relatedSections() throws {
    // snippet
    let controller = try ResultsController(
      ModelRequest<Episode>().order { $0.podcast.title }.order(by: \.title), in: store,
      sectionedBy: { $0.podcast.title })
    let list = controller.snapshot
    for (section, podcast) in list.sections.enumerated() {
      let titles = (0..<podcast.count).compactMap { row in
        list[RowPath(section: section, row: row)]?.title
      }
      print("\(podcast.name): \(titles)")
    }
    // end
    try article.expectOutput(of: transcript)

    // snippet
    try store.write { try $0.save(Podcast(id: 1, title: "Abyss")) }
    print(controller.snapshot.sections.map(\.name))
    // end
    try article.expectOutput(of: transcript)
  }

  @Test func calculatedSections() throws {
    // snippet
    let tens = try ResultsController(
      ModelRequest<Episode>().order { $0.minutes / 10 }.order(by: \.minutes), in: store,
      sectionedBy: { $0.minutes / 10 })
    print(tens.snapshot.sections.map { "\($0.name)0 minutes: \($0.count)" })
    // end
    try article.expectOutput(of: transcript)
  }

  @Test func misorderedSections() throws {
    // snippet
    do {
      _ = try ResultsController(
        ModelRequest<Episode>().order(by: \.title), in: store, sectionedBy: \.minutes)
    } catch let error as ResultsError {
      print(error)
    }
    // end
    try article.expectOutput(of: transcript)
  }

  @Test func indexTitles() throws {
    // snippet
    let byTitle = try ResultsController(
      ModelRequest<Episode>().order(by: \.title), in: store, sectionedBy: \.title)
    for entry in byTitle.snapshot.indexTitles() { print(entry.title, entry.section) }
    // end
    try article.expectOutput(of: transcript)
  }

  @Test func alphabeticalSections() throws {
    // snippet
    try store.write { writer in
      try writer.save([
        Episode(id: 5, title: "éclogite", minutes: 20),
        Episode(id: 6, title: "2 billion years", minutes: 60),
      ])
    }
    let alphabet = try ResultsController(
      ModelRequest<Episode>()
        .order { $0.title.indexLetter }
        .order(by: \.title, options: [.caseInsensitive, .diacriticInsensitive]),
      in: store, sectionedBy: { $0.title.indexLetter })
    for section in alphabet.snapshot.sections { print(section.name, section.count) }
    // end
    try article.expectOutput(of: transcript)

    // snippet
    let locale = Locale(identifier: "sv")
    try store.write { try $0.save(Episode(id: 7, title: "Ädelstenar", minutes: 35)) }
    let localized = try ResultsController(
      ModelRequest<Episode>()
        .order(collation: .localized(in: locale)) { $0.title.indexLetter(in: locale) }
        .order(by: \.title, collation: .localizedStandard(in: locale)),
      in: store, sectionedBy: { $0.title.indexLetter(in: locale) })
    print(localized.snapshot.sections.map(\.name))
    // end
    try article.expectOutput(of: transcript)
  }

  @Test func sectionsThatIgnoreDifferences() throws {
    // snippet
    try store.write { try $0.save(Podcast(id: 3, title: "CRUST")) }
    let podcasts = try ResultsController(
      ModelRequest<Podcast>().order(by: \.title, options: .caseInsensitive), in: store,
      sectionedBy: \.title)
    for section in podcasts.snapshot.sections {
      print(section.name, section.indexTitle, section.count)
    }
    // end
    try article.expectOutput(of: transcript)
  }

  @Test func theArticleMatchesTheCode() throws { try article.expectCode() }
}
