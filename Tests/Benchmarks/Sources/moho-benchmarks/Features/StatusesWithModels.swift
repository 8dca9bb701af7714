import Foundation
import MohoMapping

/// Some of the members of an account.
struct StatusAuthor: MappedModel {
  var id: String
  var name: String
  var url: URL

  static let mapping = Mapping(
    "StatusAuthor", StatusAuthor.init,
    .key("id", \.id, .unique),
    .key("name", \.name, json: "display_name"),
    .key("url", \.url))
}

/// A status with a nested model in its row.
struct NestingStatus: FeatureStatus {
  var id: String
  var text: String
  var count: Int
  var date: Date
  var url: URL
  var author: StatusAuthor

  static var countPath: KeyPath<Self, Int> { \.count }

  static let mapping = Mapping(
    "NestingStatus", NestingStatus.init,
    .key("id", \.id, .unique),
    .key("text", \.text, json: "content"),
    .key("count", \.count, json: "favourites_count"),
    .key("date", \.date, json: "created_at"),
    .key("url", \.url),
    .key("author", \.author, json: "account"))
}

/// A status with the same model in a row of its own. Several statuses have the
/// same author.
struct RelatingStatus: FeatureStatus {
  var id: String
  var text: String
  var count: Int
  var date: Date
  var url: URL
  var author: StatusAuthor

  static var countPath: KeyPath<Self, Int> { \.count }

  static let mapping = Mapping(
    "RelatingStatus", RelatingStatus.init,
    .key("id", \.id, .unique),
    .key("text", \.text, json: "content"),
    .key("count", \.count, json: "favourites_count"),
    .key("date", \.date, json: "created_at"),
    .key("url", \.url),
    .toOne("author", \.author, json: "account"))
}

/// The intended audience of a status.
struct StatusAudience: MappedModel {
  var visibility: String
  var language: String?

  static let mapping = Mapping(
    "StatusAudience", StatusAudience.init,
    .key("visibility", \.visibility),
    .key("language", \.language))
}

/// A status with a model whose keys are members of the status.
struct InliningStatus: FeatureStatus {
  var id: String
  var text: String
  var count: Int
  var date: Date
  var url: URL
  var audience: StatusAudience

  static var countPath: KeyPath<Self, Int> { \.count }

  static let mapping = Mapping(
    "InliningStatus", InliningStatus.init,
    .key("id", \.id, .unique),
    .key("text", \.text, json: "content"),
    .key("count", \.count, json: "favourites_count"),
    .key("date", \.date, json: "created_at"),
    .key("url", \.url),
    .inlined("audience", \.audience))
}
