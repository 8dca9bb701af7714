import Foundation
import MohoJSON
import MohoMapping

/// A status of a microblog with the features that an app would use.
struct MicroblogStatus: MappedModel {
  var server: String
  var id: String
  var createdAt: Date
  var editedAt: Date?
  var replyID: String?
  var content: String
  var warning: String
  var isSensitive: Bool
  var visibility: String
  var language: String?
  var uri: String
  var url: URL?
  var counts: MicroblogCounts
  var isBookmarked: Bool?
  var author: MicroblogAccount
  @Indirect var boost: MicroblogStatus?
  var attachments: [MicroblogAttachment]
  var mentions: [MicroblogMention]
  var tags: [MicroblogTag]
  var emojis: [MicroblogEmoji]
  var card: MicroblogCard?
  var poll: MicroblogPoll?
  var others: JSONValue

  static let mapping = Mapping<MicroblogStatus>(
    "MicroblogStatus", MicroblogStatus.init,
    .key("server", \.server, .storeOnly),
    .key("id", \.id),
    .key("createdAt", \.createdAt, json: "created_at", .indexed),
    .key("editedAt", \.editedAt, json: "edited_at"),
    .key("replyID", \.replyID, json: "in_reply_to_id"),
    .key("content", \.content),
    .key("warning", \.warning, json: "spoiler_text"),
    .key("isSensitive", \.isSensitive, json: "sensitive"),
    .key("visibility", \.visibility),
    .key("language", \.language),
    .key("uri", \.uri),
    .key("url", \.url),
    .inlined("counts", \.counts),
    .key("isBookmarked", \.isBookmarked, json: "bookmarked"),
    .toOne("author", \.author, json: "account"),
    .toOne("boost", \.boost, json: "reblog"),
    .key("attachments", \.attachments, json: "media_attachments"),
    .key("mentions", \.mentions),
    .toMany("tags", \.tags),
    .key("emojis", \.emojis),
    .key("card", \.card),
    .toOne("poll", \.poll),
    .unknown("others", \.others)
  )
  .identified(by: \.server, \.id)
  .validating(\.id, "an identifier") { !$0.isEmpty }
  .validating(\.counts, "numbers that are not negative") { $0.favorites >= 0 && $0.boosts >= 0 }
  .merging(\.isBookmarked, .incomingUnlessNil)
}

/// The numbers of a status.
struct MicroblogCounts: MappedModel {
  var replies: Int
  var boosts: Int
  var favorites: Int

  static let mapping = Mapping(
    "MicroblogCounts", MicroblogCounts.init,
    .key("replies", \.replies, json: "replies_count"),
    .key("boosts", \.boosts, json: "reblogs_count"),
    .key("favorites", \.favorites, json: "favourites_count"))
}
