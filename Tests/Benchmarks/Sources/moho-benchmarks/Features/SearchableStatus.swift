import Foundation
import MohoMapping

/// A status whose text has a full-text index.
struct SearchableStatus: FeatureStatus {
  var id: String
  var text: String
  var count: Int
  var date: Date
  var url: URL

  static var countPath: KeyPath<Self, Int> { \.count }

  static let mapping = Mapping(
    "SearchableStatus", SearchableStatus.init,
    .key("id", \.id, .unique),
    .key("text", \.text, json: "content", .searchable),
    .key("count", \.count, json: "favourites_count"),
    .key("date", \.date, json: "created_at"),
    .key("url", \.url))
}
