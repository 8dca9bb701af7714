import MohoMapping
import MohoResults
import MohoRows
import StoreTesting

/// A podcast host. Shows contain their host.
struct Host: MappedModel, Hashable {
  var id: Int
  var name: String

  static let mapping = Mapping(
    "Host", Host.init, .key("id", \.id, .unique), .key("name", \.name))
}

/// A show with a host and an ordered list of guests.
struct Show: MappedModel, Hashable {
  var id: Int
  var title: String
  var rank: Int
  var host: Host?
  var guests: [Guest]
  var segments: [Segment]

  static let mapping = Mapping(
    "Show", Show.init,
    .key("id", \.id, .unique),
    .key("title", \.title),
    .key("rank", \.rank, .indexed),
    .toOne("host", \.host),
    .toMany("guests", \.guests),
    .toMany("segments", \.segments, inverse: "show", onDelete: .cascade))
}

/// A guest. Several shows can share a guest.
struct Guest: MappedModel, Hashable {
  var id: Int
  var name: String

  static let mapping = Mapping(
    "Guest", Guest.init, .key("id", \.id, .unique), .key("name", \.name))
}

/// A segment of one show.
struct Segment: MappedModel, Hashable {
  var id: Int
  var title: String
  var show: ModelReference<Show>?

  static let mapping = Mapping(
    "Segment", Segment.init,
    .key("id", \.id, .unique), .key("title", \.title),
    .toOne("show", \.show, inverse: "segments"))
}

extension ModelStore {
  /// An in-memory store of shows, hosts, guests and segments.
  static func shows() throws -> ModelStore {
    try emptyStore(Show.self, Host.self, Guest.self, Segment.self)
  }
}
