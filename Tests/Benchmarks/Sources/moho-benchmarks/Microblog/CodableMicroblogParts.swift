import Foundation

struct CodableMicroblogField: Codable {
  enum CodingKeys: String, CodingKey {
    case name, value
    case verifiedAt = "verified_at"
  }

  var name: String
  var value: String
  var verifiedAt: Date?
}

struct CodableMicroblogMention: Codable {
  enum CodingKeys: String, CodingKey {
    case id, url
    case name = "username"
    case handle = "acct"
  }

  var id: String
  var name: String
  var handle: String
  var url: URL
}

struct CodableMicroblogTag: Codable {
  var name: String
  var url: URL
}

struct CodableMicroblogEmoji: Codable {
  enum CodingKeys: String, CodingKey {
    case code = "shortcode"
    case url
  }

  var code: String
  var url: URL
}

struct CodableMicroblogCard: Codable {
  var url: String
  var title: String
  var description: String
  var type: String
  var image: String?
}

struct CodableMicroblogOption: Codable {
  enum CodingKeys: String, CodingKey {
    case title
    case votes = "votes_count"
  }

  var title: String
  var votes: Int?
}

struct CodableMicroblogFile: Codable {
  enum CodingKeys: String, CodingKey {
    case id, url, description, blurhash
    case preview = "preview_url"
  }

  var id: String
  var url: String
  var preview: String?
  var description: String?
  var blurhash: String?
}

struct CodableMicroblogSize: Codable {
  var width: Int
  var height: Int
}

struct CodableMicroblogCounts: Codable {
  enum CodingKeys: String, CodingKey {
    case replies = "replies_count"
    case boosts = "reblogs_count"
    case favorites = "favourites_count"
  }

  var replies: Int
  var boosts: Int
  var favorites: Int
}
