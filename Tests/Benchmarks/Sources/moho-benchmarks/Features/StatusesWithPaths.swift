import Foundation
import MohoMapping

/// A status with a key in a nested object.
struct PathStatus: FeatureStatus {
  var id: String
  var text: String
  var count: Int
  var date: Date
  var url: URL
  var author: String

  static var countPath: KeyPath<Self, Int> { \.count }

  static let mapping = Mapping(
    "PathStatus", PathStatus.init,
    .key("id", \.id, .unique),
    .key("text", \.text, json: "content"),
    .key("count", \.count, json: "favourites_count"),
    .key("date", \.date, json: "created_at"),
    .key("url", \.url),
    .key("author", \.author, json: "account.display_name"))
}

/// A status whose date is that of its last edit, which most documents do not
/// have, or else that of its creation.
struct AlternativeStatus: FeatureStatus {
  var id: String
  var text: String
  var count: Int
  var date: Date
  var url: URL

  static var countPath: KeyPath<Self, Int> { \.count }

  static let mapping = Mapping(
    "AlternativeStatus", AlternativeStatus.init,
    .key("id", \.id, .unique),
    .key("text", \.text, json: "content"),
    .key("count", \.count, json: "favourites_count"),
    .key("date", \.date, json: "edited_at", alternatives: ["created_at"]),
    .key("url", \.url))
}

/// A status with a value of each element of an array.
struct CollectingStatus: FeatureStatus {
  var id: String
  var text: String
  var count: Int
  var date: Date
  var url: URL
  var tags: [String]

  static var countPath: KeyPath<Self, Int> { \.count }

  static let mapping = Mapping(
    "CollectingStatus", CollectingStatus.init,
    .key("id", \.id, .unique),
    .key("text", \.text, json: "content"),
    .key("count", \.count, json: "favourites_count"),
    .key("date", \.date, json: "created_at"),
    .key("url", \.url),
    .key("tags", \.tags, json: "tags[*].name"))
}
