import Foundation
import MohoMapping

/// The author of a status.
struct MicroblogAccount: MappedModel {
  var server: String
  var id: String
  var name: String
  var handle: String
  var displayName: String
  var isLocked: Bool
  var isBot: Bool
  var createdAt: Date
  var note: String
  var url: URL
  var avatar: String
  var header: String
  var followers: Int
  var following: Int
  var statuses: Int
  var isDiscoverable: Bool?
  var fields: [MicroblogField]

  static let mapping = Mapping<MicroblogAccount>(
    "MicroblogAccount", MicroblogAccount.init,
    .key("server", \.server, .storeOnly),
    .key("id", \.id),
    .key("name", \.name, json: "username"),
    .key("handle", \.handle, json: "acct"),
    .key("displayName", \.displayName, json: "display_name"),
    .key("isLocked", \.isLocked, json: "locked"),
    .key("isBot", \.isBot, json: "bot"),
    .key("createdAt", \.createdAt, json: "created_at"),
    .key("note", \.note),
    .key("url", \.url),
    .key("avatar", \.avatar),
    .key("header", \.header),
    .key("followers", \.followers, json: "followers_count"),
    .key("following", \.following, json: "following_count"),
    .key("statuses", \.statuses, json: "statuses_count"),
    .key("isDiscoverable", \.isDiscoverable, json: "discoverable"),
    .key("fields", \.fields)
  )
  .identified(by: \.server, \.id)
  .validating("numbers that are not negative") { $0.followers >= 0 && $0.statuses >= 0 }
  .merging(\.isDiscoverable, .incomingUnlessNil)
}

struct MicroblogField: MappedModel {
  var name: String
  var value: String
  var verifiedAt: Date?

  static let mapping = Mapping(
    "MicroblogField", MicroblogField.init,
    .key("name", \.name), .key("value", \.value),
    .key("verifiedAt", \.verifiedAt, json: "verified_at"))
}

struct MicroblogMention: MappedModel {
  var id: String
  var name: String
  var handle: String
  var url: URL

  static let mapping = Mapping(
    "MicroblogMention", MicroblogMention.init,
    .key("id", \.id), .key("name", \.name, json: "username"),
    .key("handle", \.handle, json: "acct"),
    .key("url", \.url))
}

struct MicroblogTag: MappedModel {
  var name: String
  var url: URL

  static let mapping = Mapping(
    "MicroblogTag", MicroblogTag.init, .key("name", \.name, .unique), .key("url", \.url))
}

struct MicroblogEmoji: MappedModel {
  var code: String
  var url: URL

  static let mapping = Mapping(
    "MicroblogEmoji", MicroblogEmoji.init,
    .key("code", \.code, json: "shortcode"), .key("url", \.url))
}

struct MicroblogCard: MappedModel {
  var url: String
  var title: String
  var description: String
  var type: String
  var image: String?

  static let mapping = Mapping(
    "MicroblogCard", MicroblogCard.init,
    .key("url", \.url), .key("title", \.title), .key("description", \.description),
    .key("type", \.type), .key("image", \.image))
}

/// A poll, which has an identity of its own.
struct MicroblogPoll: MappedModel {
  var server: String
  var id: String
  var expiresAt: Date?
  var isMultiple: Bool
  var votes: Int
  var options: [MicroblogOption]

  static let mapping = Mapping<MicroblogPoll>(
    "MicroblogPoll", MicroblogPoll.init,
    .key("server", \.server, .storeOnly),
    .key("id", \.id),
    .key("expiresAt", \.expiresAt, json: "expires_at"),
    .key("isMultiple", \.isMultiple, json: "multiple"),
    .key("votes", \.votes, json: "votes_count"),
    .key("options", \.options)
  )
  .identified(by: \.server, \.id)
}

struct MicroblogOption: MappedModel {
  var title: String
  var votes: Int?

  static let mapping = Mapping(
    "MicroblogOption", MicroblogOption.init,
    .key("title", \.title), .key("votes", \.votes, json: "votes_count"))
}
