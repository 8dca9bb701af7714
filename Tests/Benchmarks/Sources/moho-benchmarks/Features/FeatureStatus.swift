import Foundation
import MohoMapping

/// A status with the five keys of all feature models, and at most one feature.
protocol FeatureStatus: MappedModel {
  var count: Int { get }

  /// The property of the count. A key path to the requirement of this protocol
  /// would not be equal to the key path of the mapping.
  static var countPath: KeyPath<Self, Int> { get }
}

/// The status without a feature, which the others are compared with.
struct BaseStatus: FeatureStatus {
  var id: String
  var text: String
  var count: Int
  var date: Date
  var url: URL

  static var countPath: KeyPath<Self, Int> { \.count }

  static let mapping = Mapping(
    "BaseStatus", BaseStatus.init,
    .key("id", \.id, .unique),
    .key("text", \.text, json: "content"),
    .key("count", \.count, json: "favourites_count"),
    .key("date", \.date, json: "created_at"),
    .key("url", \.url))
}

/// The status without a feature, with a `Codable` conformance.
struct CodableStatus: Codable {
  enum CodingKeys: String, CodingKey {
    case id, url
    case text = "content"
    case count = "favourites_count"
    case date = "created_at"
  }

  var id: String
  var text: String
  var count: Int
  var date: Date
  var url: URL

  /// A decoder of dates with milliseconds, which `.iso8601` does not decode.
  static var decoder: JSONDecoder {
    let format = Date.ISO8601FormatStyle(includingFractionalSeconds: true)
    let decoder = JSONDecoder()
    decoder.dateDecodingStrategy = .custom { decoder in
      try Date(decoder.singleValueContainer().decode(String.self), strategy: format)
    }
    return decoder
  }
}
