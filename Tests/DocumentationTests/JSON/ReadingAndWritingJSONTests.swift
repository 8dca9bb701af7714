import DocumentationTesting
import Foundation
import Moho
import Testing

/// The code of the article "Reading and writing JSON", compiled and run.
@Suite struct ReadingAndWritingJSONTests: ArticleTests {
  let article = Article("Sources/MohoJSON/MohoJSON.docc/ReadingAndWritingJSON.md")
  let transcript = Transcript()

  // snippet
  struct Episode: MappedModel, Equatable {
    var id: Int
    var title: String
    var summary: String?
    var minutes: Int?

    static let mapping = Mapping(
      "Episode", Episode.init,
      .key("id", \.id, .unique),
      .key("title", \.title),
      .key("summary", \.summary, json: "description"),
      .key("minutes", \.minutes, json: "audio.minutes"))
  }
  // end

  // snippet
  struct OpenEpisode: MappedModel {
    var id: Int
    var others: JSONValue

    static let mapping = Mapping(
      "Episode", OpenEpisode.init, .key("id", \.id), .unknown("others", \.others))
  }
  // end

  // snippet
  struct Channel: MappedModel {
    var title: String?
    var others: JSONValue

    static let mapping = Mapping(
      "Channel", Channel.init, .key("title", \.title, alternatives: ["name"]),
      .unknown("others", \.others))
  }
  // end

  // snippet
  struct Post: MappedModel {
    var server: String
    var id: Int
    var reply: ModelReference<Post>?

    static let mapping = Mapping<Post>(
      "Post", Post.init, .key("server", \.server, .storeOnly), .key("id", \.id),
      .toOne("reply", \.reply)
    )
    .identified(by: \.server, \.id)
  }
  // end

  @Test func valuesFromOutsideADocument() throws {
    // snippet
    let posts = JSONAdapter<Post>().setting(\.server, to: "a.example")
    let post = try posts.model(from: #"{"id": 8, "reply": 7}"#)
    print(post.server, post.id, post.reply.map { "\($0)" } ?? "")
    do {
      _ = try JSONAdapter<Post>().model(from: #"{"id": 8}"#)
    } catch {
      print(error)
    }
    // end
    try article.expectOutput(of: transcript)
  }

  @Test func theAdapter() throws {
    // snippet
    let adapter = JSONAdapter<Episode>()
    let feed = Data(
      #"{"items": [{"id": 7, "title": "Basalt", "audio": {"minutes": 42}}]}"#.utf8)

    var episodes = try adapter.models(from: feed, at: "items")
    episodes[0].summary = "Cooled lava."
    print(try adapter.text(from: episodes, formatting: .pretty))
    // end
    try article.expectOutput(of: transcript)

    // snippet
    let wrapped = JSONAdapter<Episode>(envelope: "episode", nullPolicy: .null)
    print(try wrapped.text(from: episodes))
    // end
    try article.expectOutput(of: transcript)
  }

  @Test func errors() throws {
    let adapter = JSONAdapter<Episode>()
    // snippet
    let feed = Data(
      """
      [
        {"id": "7", "Title": "Basalt", "audio": {"minutes": 41.5}},
        {"id": 8, "title": "Gneiss", "audio": "a.mp3"}
      ]
      """.utf8)
    do {
      _ = try adapter.models(from: feed)
    } catch let error as MappingError {
      for error in error.errors { print(error) }
    }
    // end
    try article.expectOutput(of: transcript)

    // snippet
    do {
      _ = try adapter.models(from: Data("[{\"id\": 7,\n \"title\" \"Basalt\"}]".utf8))
    } catch let error as JSONError {
      print(error)
    }
    // end
    try article.expectOutput(of: transcript)

    // snippet
    let read = try adapter.lossyModels(from: Data(#"[{"id": 7, "title": "Basalt"}, 8]"#.utf8))
    print(read.models.map(\.title), read.failures.map(\.index))
    // end
    try article.expectOutput(of: transcript)
  }

  @Test func partials() throws {
    let adapter = JSONAdapter<Episode>()
    // snippet
    let stored = Episode(id: 7, title: "Basalt", summary: "Cooled lava.", minutes: 42)
    let patch = try adapter.partial(from: Data(#"{"title": "Obsidian", "description": null}"#.utf8))
    let edited = patch.applied(to: stored)
    print(patch)
    print(String(decoding: try adapter.mergePatch(from: stored, to: edited), as: UTF8.self))
    // end
    try article.expectOutput(of: transcript)

    // snippet
    let change = Partial(from: stored, to: edited, including: \.id)
    print(try adapter.text(from: change))
    let picked = Partial(edited, only: \.id, \.minutes)
    print(try adapter.text(from: picked))
    // end
    try article.expectOutput(of: transcript)

    // snippet
    var changes = Partial<Episode>()
    changes[\.id] = 7
    changes[\.summary] = nil
    changes.clear(\.minutes)
    print(try adapter.text(from: changes), try adapter.text(from: changes.removing(\.minutes)))
    // end
    try article.expectOutput(of: transcript)

    // snippet
    let partials = try adapter.partials(
      from: #"{"items": [{"id": 7, "description": null}, {"id": 8}]}"#, at: "items")
    for partial in partials { print(partial) }
    // end
    try article.expectOutput(of: transcript)
  }

  @Test func theSchema() throws {
    // snippet
    print(String(decoding: try Episode.mapping.jsonSchema.data(formatting: .pretty), as: UTF8.self))
    // end
    try article.expectOutput(of: transcript)
  }

  @Test func unknownKeys() throws {
    // snippet
    let json = Data(#"{"id": 7, "titel": "Basalt", "mood": "calm"}"#.utf8)
    do {
      _ = try JSONAdapter<Episode>(unknownKeyPolicy: .refuse).model(from: json)
    } catch let error as MappingError {
      for error in error.errors { print(error) }
    }
    // end
    try article.expectOutput(of: transcript)

    // snippet
    let reporting = JSONAdapter<Episode>(unknownKeyPolicy: .report { print($0) })
    let calm = Data(#"{"id": 7, "title": "Basalt", "mood": "calm"}"#.utf8)
    _ = try reporting.model(from: calm)

    let lossless = JSONAdapter<OpenEpisode>()
    let episode = try lossless.model(from: calm)
    print(try lossless.text(from: episode))
    // end
    try article.expectOutput(of: transcript)

    // snippet
    let channels = JSONAdapter<Channel>()
    for json in [#"{"name": "Deep Time"}"#, #"{"name": "deep-time", "title": "Deep Time"}"#] {
      print(try channels.text(from: channels.model(from: json)))
    }
    print(try channels.text(from: Channel(title: nil, others: ["name": "deep-time"])))
    // end
    try article.expectOutput(of: transcript)
  }

  @Test func theArticleMatchesTheCode() throws {
    try article.expectCode()
  }
}
