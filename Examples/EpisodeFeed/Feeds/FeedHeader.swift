import Moho

/// What a JSON Feed says about itself.
struct FeedHeader {
  var version = FeedFormat.versionPrefix + "1.1"
  var title: String

  static let mapping = Mapping(
    "Feed", FeedHeader.init, .key("version", \.version), .key("title", \.title))
}
