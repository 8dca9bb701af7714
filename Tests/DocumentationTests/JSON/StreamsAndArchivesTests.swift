import CommandTesting
import DocumentationTesting
import Foundation
import Moho
import Testing

/// The code of the article "Streams and archives", compiled and run.
@Suite struct StreamsAndArchivesTests: ArticleTests {
  let article = Article("Sources/MohoJSON/MohoJSON.docc/StreamsAndArchives.md")
  let transcript = Transcript()

  // snippet
  struct Episode: MappedModel {
    var id: Int
    var title: String
    var minutes: Int?

    static let mapping = Mapping(
      "Episode", Episode.init,
      .key("id", \.id, .unique), .key("title", \.title),
      .key("minutes", \.minutes, json: "audio.minutes"))
  }

  let adapter = JSONAdapter<Episode>()
  // end

  @Test func streams() async throws {
    // snippet
    let download = AsyncStream<Data> { download in
      download.yield(Data(#"{"id": 7, "title": "Basalt"}"#.utf8 + [10]))
      download.yield(Data(#"{"id": 8, "ti"#.utf8))
      download.yield(Data(#"tle": null}"#.utf8))
      download.finish()
    }
    for try await element in adapter.elements(from: download, as: .lines) {
      switch element.result {
      case .success(let episode): print(element.index, episode.title)
      case .failure(let error): print(element.index, error)
      }
    }
    // end
    try article.expectOutput(of: transcript)
  }

  @Test func files() throws {
    let folder = try TemporaryFolder()
    let json = Data(#"{"items": [{"id": 7, "title": "Basalt"}]}"#.utf8)
    let path = try folder.file("feed.json", json)
    // snippet
    let file = try FileHandle(forReadingFrom: URL(filePath: path))
    var elements = adapter.elements(from: file, as: .array(at: "items"))
    while let element = try elements.next() { print(try element.model.title) }
    // end
    try article.expectOutput(of: transcript)
  }

  @Test func archives() throws {
    // snippet
    let archive = ModelArchive<Episode>(
      version: 2,
      upgrades: [
        0: { json in
          json["title"] = json["name"]
          json["name"] = nil
        },
        1: { json in json["audio"] = ["minutes": 0] },
      ])
    let old = Data(#"{"version": 0, "model": {"id": 7, "name": "Basalt"}}"#.utf8)
    let episode = try archive.model(from: old)
    print(String(decoding: try archive.data(from: episode), as: UTF8.self))
    do {
      _ = try archive.model(from: Data(#"{"version": 3, "model": {}}"#.utf8))
    } catch let error as ArchiveError {
      print(error)
    }
    // end
    try article.expectOutput(of: transcript)
  }

  @Test func anyJSON() throws {
    // snippet
    let document = try JSONDocument(parsing: #"{"feed": {"title": "Deep Time"}, "items": []}"#)
    print(document.value(at: "feed.title") ?? .null)

    let feed: JSONValue = [
      "title": "Deep Time",
      "items": try adapter.value(from: [Episode(id: 7, title: "Basalt")]),
    ]
    print(String(decoding: try feed.data(), as: UTF8.self))
    // end
    try article.expectOutput(of: transcript)
  }

  @Test func theArticleMatchesTheCode() throws {
    try article.expectCode()
  }
}
