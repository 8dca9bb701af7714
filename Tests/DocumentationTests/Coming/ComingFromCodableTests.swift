import DocumentationTesting
import Foundation
import Moho
import Testing

/// The code of the article "Coming from Codable", compiled and run.
@Suite struct ComingFromCodableTests: ArticleTests {
  let article = Article("Sources/Moho/Moho.docc/ComingFromCodable.md")
  let transcript = Transcript()

  // snippet
  struct CodableEpisode: Codable {
    var id: Int
    var title: String
    var isPlayed: Bool
    var audio: URL?

    enum CodingKeys: String, CodingKey {
      case id, title, audio
      case isPlayed = "is_played"
    }

    enum AudioKeys: CodingKey { case url }

    init(from decoder: any Decoder) throws {
      let keys = try decoder.container(keyedBy: CodingKeys.self)
      id = try keys.decode(Int.self, forKey: .id)
      title = try keys.decode(String.self, forKey: .title)
      isPlayed = try keys.decodeIfPresent(Bool.self, forKey: .isPlayed) ?? false
      if keys.contains(.audio) {
        let audioKeys = try keys.nestedContainer(keyedBy: AudioKeys.self, forKey: .audio)
        audio = try audioKeys.decodeIfPresent(URL.self, forKey: .url)
      }
    }

    func encode(to encoder: any Encoder) throws {
      var keys = encoder.container(keyedBy: CodingKeys.self)
      try keys.encode(id, forKey: .id)
      try keys.encode(title, forKey: .title)
      try keys.encode(isPlayed, forKey: .isPlayed)
      var audioKeys = keys.nestedContainer(keyedBy: AudioKeys.self, forKey: .audio)
      try audioKeys.encodeIfPresent(audio, forKey: .url)
    }
  }
  // end

  // snippet
  struct Episode: MappedModel {
    var id: Int
    var title: String
    var isPlayed: Bool
    var audio: URL?

    static let mapping = Mapping(
      "Episode", naming: .snakeCase, Episode.init,
      .key("id", \.id, .unique), .key("title", \.title),
      .key("isPlayed", \.isPlayed, default: false), .key("audio", \.audio, json: "audio.url"))
  }
  // end

  @Test func errors() throws {
    // snippet
    let json = Data(
      """
      {
        "id": "7",
        "is_played": 1
      }
      """.utf8)

    do {
      _ = try JSONDecoder().decode(CodableEpisode.self, from: json)
    } catch DecodingError.typeMismatch(let type, let context) {
      print(type, context.codingPath.map(\.stringValue))
    }

    do {
      _ = try JSONAdapter<Episode>().model(from: json)
    } catch let error as MappingError {
      for error in error.errors { print(error) }
    }
    // end
    try article.expectOutput(of: transcript)
  }

  @Test func bothWays() throws {
    // snippet
    let json = Data(#"{"id": 7, "title": "Basalt", "audio": {"url": "a.mp3"}}"#.utf8)
    let episode = try JSONDecoder().decode(Episode.self, from: json)
    let encoder = PropertyListEncoder()
    encoder.outputFormat = .xml
    let list = try encoder.encode(episode)
    print(String(decoding: list, as: UTF8.self).contains("is_played"))
    // end
    try article.expectOutput(of: transcript)
  }

  @Test func theArticleMatchesTheCode() throws {
    try article.expectCode()
  }
}

private typealias Episode = ComingFromCodableTests.Episode

// snippet
extension Episode: Codable {}
// end
