import MohoMapping

/// The models of tests in which other programs lock the tables of lists.
struct LockedNote: MappedModel, Equatable {
  var id: Int
  var text: String

  static let mapping = Mapping(
    "Note", LockedNote.init, .key("id", \.id, .unique), .key("text", \.text))
}

struct LockedTag: MappedModel, Equatable {
  var name: String

  static let mapping = Mapping("Tag", LockedTag.init, .key("name", \.name, .unique))
}

struct LockedItem: MappedModel, Equatable {
  var id: Int
  var rank = 0
  var tags: [LockedTag]

  static let mapping = Mapping(
    "Item", LockedItem.init, .key("id", \.id, .unique), .key("rank", \.rank),
    .toMany("tags", \.tags))
}
