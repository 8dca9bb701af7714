import Foundation
import MohoMapping

/// A post in a timeline of a social network: few keys of an object with many
/// members.
struct TimelinePost: MappedModel {
  var id: Int
  var createdAt: Date
  var text: String
  var reposts: Int
  var likes: Int
  var isSensitive: Bool
  var language: String
  var author: TimelineAuthor
  var tags: [TimelineTag]
  var replyTo: Int?

  static let mapping = Mapping(
    "TimelinePost", TimelinePost.init,
    .key("id", \.id, .unique),
    .key("createdAt", \.createdAt, json: "created_at", .iso8601),
    .key("text", \.text),
    .key("reposts", \.reposts, json: "repost_count"),
    .key("likes", \.likes, json: "favorite_count"),
    .key("isSensitive", \.isSensitive, json: "possibly_sensitive"),
    .key("language", \.language, json: "lang"),
    .key("author", \.author, json: "user"),
    .key("tags", \.tags, json: "entities.hashtags"),
    .key("replyTo", \.replyTo, json: "in_reply_to_status_id"))

  var checksum: Double {
    let integers = id + reposts + likes + (replyTo ?? -1) + (isSensitive ? 1 : 0)
    let texts = text.utf8.count + language.utf8.count + author.checksum
    let tags = tags.reduce(0) { $0 + $1.text.utf8.count + $1.indices.reduce(0, +) }
    return Double(integers + texts + tags) + createdAt.timeIntervalSinceReferenceDate
  }
}

struct TimelineAuthor: MappedModel {
  var id: Int
  var name: String
  var handle: String
  var place: String?
  var followers: Int

  static let mapping = Mapping(
    "TimelineAuthor", TimelineAuthor.init,
    .key("id", \.id),
    .key("name", \.name),
    .key("handle", \.handle, json: "screen_name"),
    .key("place", \.place, json: "location"),
    .key("followers", \.followers, json: "followers_count"))

  var checksum: Int {
    id + followers + name.utf8.count + handle.utf8.count + (place?.utf8.count ?? 0)
  }
}

struct TimelineTag: MappedModel {
  var text: String
  var indices: [Int]

  static let mapping = Mapping(
    "TimelineTag", TimelineTag.init, .key("text", \.text), .key("indices", \.indices))
}

/// The same post with a `Codable` conformance.
struct CodablePost: Codable {
  struct Author: Codable {
    var id: Int
    var name: String
    var screen_name: String
    var location: String?
    var followers_count: Int
  }

  struct Tag: Codable {
    var text: String
    var indices: [Int]
  }

  struct Entities: Codable {
    var hashtags: [Tag]
  }

  var id: Int
  var created_at: Date
  var text: String
  var repost_count: Int
  var favorite_count: Int
  var possibly_sensitive: Bool
  var lang: String
  var user: Author
  var entities: Entities
  var in_reply_to_status_id: Int?

  var model: TimelinePost {
    TimelinePost(
      id: id, createdAt: created_at, text: text, reposts: repost_count, likes: favorite_count,
      isSensitive: possibly_sensitive, language: lang,
      author: TimelineAuthor(
        id: user.id, name: user.name, handle: user.screen_name, place: user.location,
        followers: user.followers_count),
      tags: entities.hashtags.map { TimelineTag(text: $0.text, indices: $0.indices) },
      replyTo: in_reply_to_status_id)
  }
}
