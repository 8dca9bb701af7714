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

/// A folder that contains its files and refers to one of them: a cycle of links,
/// one of which is part of an identity.
struct IdentityFolder: MappedModel, Hashable {
  var name: String
  var latest: ModelReference<IdentityFile>?
  var files: [IdentityFile] = []

  static let mapping = Mapping(
    "IdentityFolder", IdentityFolder.init,
    .key("name", \.name, .unique), .toOne("latest", \.latest),
    .toMany("files", \.files, inverse: "folder", onDelete: .cascade))
}

/// A file that counts how often it was opened.
struct IdentityFile: MappedModel, Hashable {
  var folder: ModelReference<IdentityFolder>?
  var name: String
  var opened = 0
  var info: IdentityInfo?

  static let mapping = Mapping(
    "IdentityFile", IdentityFile.init,
    .toOne("folder", \.folder, inverse: "files"), .key("name", \.name),
    .key("opened", \.opened, default: 0), .toOne("info", \.info, inverse: "file")
  )
  .identified(by: \.folder, \.name)
  .merging(\.opened) { $0 + $1 }
}

/// The only information about a file, identified by it.
struct IdentityInfo: MappedModel, Hashable {
  var file: ModelReference<IdentityFile>?
  var text: String

  static let mapping = Mapping(
    "IdentityInfo", IdentityInfo.init,
    .toOne("file", \.file, inverse: "info"), .key("text", \.text)
  )
  .identified(by: \.file)
}
