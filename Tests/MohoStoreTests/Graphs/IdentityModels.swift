import MohoMapping

/// A feed with items whose ids are unique in the feed only.
struct IdentityFeed: MappedModel, Hashable {
  var url: String
  var title = ""
  var items: [IdentityItem] = []

  static let mapping = Mapping(
    "IdentityFeed", IdentityFeed.init,
    .key("url", \.url, .unique), .key("title", \.title, default: ""),
    .toMany(
      "items", \.items, inverse: "feed", onDelete: .cascade,
      linkPolicy: .replace(removed: .delete)))
}

struct IdentityItem: MappedModel, Hashable {
  var serial: Int?
  var feed: ModelReference<IdentityFeed>?
  var guid: String
  var title = ""

  static let mapping = Mapping(
    "IdentityItem", IdentityItem.init,
    .key("serial", \.serial, .unique), .toOne("feed", \.feed, inverse: "items"),
    .key("guid", \.guid), .key("title", \.title, default: "")
  )
  .identified(by: \.feed, \.guid)
}

/// A part of an item, whose identity contains that of the item.
struct IdentityPart: MappedModel, Hashable {
  var item: ModelReference<IdentityItem>
  var number: Double
  var title = ""
  var similar: [ModelReference<IdentityPart>] = []

  static let mapping = Mapping(
    "IdentityPart", IdentityPart.init,
    .toOne("item", \.item), .key("number", \.number),
    .key("title", \.title, default: ""), .toMany("similar", \.similar)
  )
  .identified(by: \.item, \.number)
}

/// An identity of columns without links.
struct IdentityPair: MappedModel, Hashable {
  var first: String
  var second: String
  var number: Double?
  var title = ""

  static let mapping = Mapping(
    "IdentityPair", IdentityPair.init,
    .key("first", \.first), .key("second", \.second), .key("number", \.number),
    .key("title", \.title, default: "")
  )
  .identified(by: \.first, \.second, \.number)
}
