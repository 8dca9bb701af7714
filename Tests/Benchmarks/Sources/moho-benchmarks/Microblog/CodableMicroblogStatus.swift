import Foundation

/// The status with a `Codable` conformance, with its unknown members.
final class CodableMicroblogStatus: Codable, Sendable {
  enum CodingKeys: String, CodingKey, CaseIterable {
    case id, content, visibility, language, uri, url, mentions, tags, emojis, card, poll
    case createdAt = "created_at"
    case editedAt = "edited_at"
    case replyID = "in_reply_to_id"
    case warning = "spoiler_text"
    case isSensitive = "sensitive"
    case isBookmarked = "bookmarked"
    case author = "account"
    case boost = "reblog"
    case attachments = "media_attachments"
  }

  let id: String
  let createdAt: Date
  let editedAt: Date?
  let replyID: String?
  let content: String
  let warning: String
  let isSensitive: Bool
  let visibility: String
  let language: String?
  let uri: String
  let url: URL?
  let counts: CodableMicroblogCounts
  let isBookmarked: Bool?
  let author: CodableMicroblogAccount
  let boost: CodableMicroblogStatus?
  let attachments: [CodableMicroblogAttachment]
  let mentions: [CodableMicroblogMention]
  let tags: [CodableMicroblogTag]
  let emojis: [CodableMicroblogEmoji]
  let card: CodableMicroblogCard?
  let poll: CodableMicroblogPoll?
  let others: [String: CodableJSON]

  private static let known = Set(
    CodingKeys.allCases.map(\.rawValue)
      + [
        CodableMicroblogCounts.CodingKeys.replies.rawValue,
        CodableMicroblogCounts.CodingKeys.boosts.rawValue,
        CodableMicroblogCounts.CodingKeys.favorites.rawValue,
      ])

  init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: CodingKeys.self)
    id = try values.decode(String.self, forKey: .id)
    createdAt = try values.decode(Date.self, forKey: .createdAt)
    editedAt = try values.decodeIfPresent(Date.self, forKey: .editedAt)
    replyID = try values.decodeIfPresent(String.self, forKey: .replyID)
    content = try values.decode(String.self, forKey: .content)
    warning = try values.decode(String.self, forKey: .warning)
    isSensitive = try values.decode(Bool.self, forKey: .isSensitive)
    visibility = try values.decode(String.self, forKey: .visibility)
    language = try values.decodeIfPresent(String.self, forKey: .language)
    uri = try values.decode(String.self, forKey: .uri)
    url = try values.decodeIfPresent(URL.self, forKey: .url)
    counts = try CodableMicroblogCounts(from: decoder)
    isBookmarked = try values.decodeIfPresent(Bool.self, forKey: .isBookmarked)
    author = try values.decode(CodableMicroblogAccount.self, forKey: .author)
    boost = try values.decodeIfPresent(CodableMicroblogStatus.self, forKey: .boost)
    attachments = try values.decode([CodableMicroblogAttachment].self, forKey: .attachments)
    mentions = try values.decode([CodableMicroblogMention].self, forKey: .mentions)
    tags = try values.decode([CodableMicroblogTag].self, forKey: .tags)
    emojis = try values.decode([CodableMicroblogEmoji].self, forKey: .emojis)
    card = try values.decodeIfPresent(CodableMicroblogCard.self, forKey: .card)
    poll = try values.decodeIfPresent(CodableMicroblogPoll.self, forKey: .poll)
    let members = try decoder.container(keyedBy: CodableJSON.Key.self)
    var others: [String: CodableJSON] = [:]
    for key in members.allKeys where !Self.known.contains(key.stringValue) {
      others[key.stringValue] = try members.decode(CodableJSON.self, forKey: key)
    }
    self.others = others
  }

  func encode(to encoder: any Encoder) throws {
    var values = encoder.container(keyedBy: CodingKeys.self)
    try values.encode(id, forKey: .id)
    try values.encode(createdAt, forKey: .createdAt)
    try values.encode(editedAt, forKey: .editedAt)
    try values.encode(replyID, forKey: .replyID)
    try values.encode(content, forKey: .content)
    try values.encode(warning, forKey: .warning)
    try values.encode(isSensitive, forKey: .isSensitive)
    try values.encode(visibility, forKey: .visibility)
    try values.encode(language, forKey: .language)
    try values.encode(uri, forKey: .uri)
    try values.encode(url, forKey: .url)
    try counts.encode(to: encoder)
    try values.encode(isBookmarked, forKey: .isBookmarked)
    try values.encode(author, forKey: .author)
    try values.encode(boost, forKey: .boost)
    try values.encode(attachments, forKey: .attachments)
    try values.encode(mentions, forKey: .mentions)
    try values.encode(tags, forKey: .tags)
    try values.encode(emojis, forKey: .emojis)
    try values.encode(card, forKey: .card)
    try values.encode(poll, forKey: .poll)
    var members = encoder.container(keyedBy: CodableJSON.Key.self)
    for (name, value) in others {
      try members.encode(value, forKey: CodableJSON.Key(stringValue: name))
    }
  }

  init(
    id: String, createdAt: Date, editedAt: Date?, replyID: String?, content: String,
    warning: String, isSensitive: Bool, visibility: String, language: String?, uri: String,
    url: URL?, counts: CodableMicroblogCounts, isBookmarked: Bool?, author: CodableMicroblogAccount,
    boost: CodableMicroblogStatus?, attachments: [CodableMicroblogAttachment],
    mentions: [CodableMicroblogMention], tags: [CodableMicroblogTag],
    emojis: [CodableMicroblogEmoji],
    card: CodableMicroblogCard?, poll: CodableMicroblogPoll?, others: [String: CodableJSON]
  ) {
    self.id = id
    self.createdAt = createdAt
    self.editedAt = editedAt
    self.replyID = replyID
    self.content = content
    self.warning = warning
    self.isSensitive = isSensitive
    self.visibility = visibility
    self.language = language
    self.uri = uri
    self.url = url
    self.counts = counts
    self.isBookmarked = isBookmarked
    self.author = author
    self.boost = boost
    self.attachments = attachments
    self.mentions = mentions
    self.tags = tags
    self.emojis = emojis
    self.card = card
    self.poll = poll
    self.others = others
  }

  /// Returns a copy with one more favorite.
  func withFavorite() -> CodableMicroblogStatus {
    CodableMicroblogStatus(
      id: id, createdAt: createdAt, editedAt: editedAt, replyID: replyID, content: content,
      warning: warning, isSensitive: isSensitive, visibility: visibility, language: language,
      uri: uri, url: url,
      counts: CodableMicroblogCounts(
        replies: counts.replies, boosts: counts.boosts, favorites: counts.favorites + 1),
      isBookmarked: isBookmarked, author: author, boost: boost, attachments: attachments,
      mentions: mentions, tags: tags, emojis: emojis, card: card, poll: poll, others: others)
  }

  /// A decoder of the dates of a microblog, with and without milliseconds.
  static var decoder: JSONDecoder {
    let decoder = JSONDecoder()
    let exact = Date.ISO8601FormatStyle(includingFractionalSeconds: true)
    decoder.dateDecodingStrategy = .custom { decoder in
      let text = try decoder.singleValueContainer().decode(String.self)
      if let date = try? exact.parse(text) { return date }
      return try Date(text, strategy: .iso8601)
    }
    return decoder
  }

  static var encoder: JSONEncoder {
    let encoder = JSONEncoder()
    let exact = Date.ISO8601FormatStyle(includingFractionalSeconds: true)
    encoder.outputFormatting = .withoutEscapingSlashes
    encoder.dateEncodingStrategy = .custom { date, encoder in
      var container = encoder.singleValueContainer()
      // The format truncates milliseconds.
      try container.encode(exact.format(date.addingTimeInterval(0.0005)))
    }
    return encoder
  }
}

struct CodableMicroblogAccount: Codable {
  enum CodingKeys: String, CodingKey {
    case id, note, url, avatar, header, fields
    case name = "username"
    case handle = "acct"
    case displayName = "display_name"
    case isLocked = "locked"
    case isBot = "bot"
    case createdAt = "created_at"
    case followers = "followers_count"
    case following = "following_count"
    case statuses = "statuses_count"
    case isDiscoverable = "discoverable"
  }

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
  var fields: [CodableMicroblogField]
}

struct CodableMicroblogPoll: Codable {
  enum CodingKeys: String, CodingKey {
    case id, options
    case expiresAt = "expires_at"
    case isMultiple = "multiple"
    case votes = "votes_count"
  }

  var id: String
  var expiresAt: Date?
  var isMultiple: Bool
  var votes: Int
  var options: [CodableMicroblogOption]
}
