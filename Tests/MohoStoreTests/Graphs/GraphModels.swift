import Foundation
import MohoMapping
import MohoRows

/// A model with every kind of relation: the link to its parts is a column of
/// their table, the links to its guests are in a link table.
struct Series: MappedModel, Equatable {
  var id: Int
  var title: String
  var parts: [Part] = []
  var opening: ModelReference<Part>?
  var guests: Set<Guest> = []
  var related: [ModelReference<Series>] = []

  static let mapping = Mapping(
    "Series", Series.init,
    .key("id", \.id, .unique),
    .key("title", \.title),
    .toMany("parts", \.parts, inverse: "show"),
    .toOne("opening", \.opening),
    .toMany("guests", \.guests),
    .toMany("related", \.related))
}

struct Part: MappedModel, Hashable {
  var code: String
  var title: String
  var show: ModelReference<Series>?
  var speaker: Guest?
  var notes: [String] = []

  static let mapping = Mapping(
    "Part", Part.init,
    .key("code", \.code, .unique),
    .key("title", \.title),
    .toOne("show", \.show, inverse: "parts"),
    .toOne("speaker", \.speaker),
    .key("notes", \.notes))
}

struct Guest: MappedModel, Hashable {
  var name: String
  var town: String?

  static let mapping = Mapping(
    "Guest", Guest.init, .key("name", \.name, .unique), .key("town", \.town))
}

/// A tree with text keys and links to the parent.
struct Topic: MappedModel, Equatable {
  var name: String
  var parent: ModelReference<Topic>?
  var children: [Topic] = []

  static let mapping = Mapping(
    "Topic", Topic.init,
    .key("name", \.name, .unique),
    .toOne("parent", \.parent, inverse: "children"),
    .toMany("children", \.children, inverse: "parent"))
}
