import Foundation
import MohoJSON
import MohoMapping

/// A status with a whole object as a value.
struct ValueStatus: FeatureStatus {
  var id: String
  var text: String
  var count: Int
  var date: Date
  var url: URL
  var account: JSONValue

  static var countPath: KeyPath<Self, Int> { \.count }

  static let mapping = Mapping(
    "ValueStatus", ValueStatus.init,
    .key("id", \.id, .unique),
    .key("text", \.text, json: "content"),
    .key("count", \.count, json: "favourites_count"),
    .key("date", \.date, json: "created_at"),
    .key("url", \.url),
    .key("account", \.account))
}

/// A status with all members that are not mapped to a key.
struct UnknownStatus: FeatureStatus {
  var id: String
  var text: String
  var count: Int
  var date: Date
  var url: URL
  var others: JSONValue

  static var countPath: KeyPath<Self, Int> { \.count }

  static let mapping = Mapping(
    "UnknownStatus", UnknownStatus.init,
    .key("id", \.id, .unique),
    .key("text", \.text, json: "content"),
    .key("count", \.count, json: "favourites_count"),
    .key("date", \.date, json: "created_at"),
    .key("url", \.url),
    .unknown("others", \.others))
}
