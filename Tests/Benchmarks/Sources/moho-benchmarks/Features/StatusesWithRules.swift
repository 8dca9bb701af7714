import Foundation
import MohoMapping

/// A status that is validated as a whole.
struct ValidatedStatus: FeatureStatus {
  var id: String
  var text: String
  var count: Int
  var date: Date
  var url: URL

  static var countPath: KeyPath<Self, Int> { \.count }

  static let mapping = Mapping<ValidatedStatus>(
    "ValidatedStatus", ValidatedStatus.init,
    .key("id", \.id, .unique),
    .key("text", \.text, json: "content"),
    .key("count", \.count, json: "favourites_count"),
    .key("date", \.date, json: "created_at"),
    .key("url", \.url)
  )
  .validating("a count that is not negative") { $0.count >= 0 }
}

/// A status whose stored count is not replaced.
struct MergedStatus: FeatureStatus {
  var id: String
  var text: String
  var count: Int
  var date: Date
  var url: URL

  static var countPath: KeyPath<Self, Int> { \.count }

  static let mapping = Mapping<MergedStatus>(
    "MergedStatus", MergedStatus.init,
    .key("id", \.id, .unique),
    .key("text", \.text, json: "content"),
    .key("count", \.count, json: "favourites_count"),
    .key("date", \.date, json: "created_at"),
    .key("url", \.url)
  )
  .merging(\.count, .stored)
}
