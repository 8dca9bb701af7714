import MohoMapping

/// A model whose values the oracle compares as text with what SQL reads.
protocol OracleModel: MappedModel {
  static var kind: ModelKind { get }
  /// The keys that read related rows.
  static var relatedKeys: Set<String> { get }
  /// The value of each key as text, in declaration order.
  var keyTexts: [String] { get }
}

/// The model types, by the names of their tables.
enum ModelKind: String, CaseIterable, Sendable {
  case network = "Network"
  case host = "Host"
  case show = "Show"
  case episode = "Episode"
  case tag = "Tag"
  case note = "Note"
}

struct Network: OracleModel {
  var id: Int
  var name: String

  static let kind = ModelKind.network
  static let relatedKeys: Set<String> = []
  static let mapping = Mapping(
    "Network", Network.init, .key("id", \.id, .unique), .key("name", \.name, .indexed))

  var keyTexts: [String] { ["\(id)", quote(name)] }
}

struct Host: OracleModel {
  var id: Int
  var name: String
  var rank: Int?
  var network: Network?
  var mentor: ModelReference<Host>?
  var mentees: Set<ModelReference<Host>>
  var friends: [ModelReference<Host>]
  var fans: [ModelReference<Host>]

  static let kind = ModelKind.host
  static let relatedKeys: Set<String> = ["network", "mentees", "friends", "fans"]
  static let mapping = Mapping(
    "Host", Host.init, .key("id", \.id, .unique), .key("name", \.name), .key("rank", \.rank),
    .toOne("network", \.network), .toOne("mentor", \.mentor, inverse: "mentees"),
    .toMany("mentees", \.mentees, inverse: "mentor"),
    .toMany("friends", \.friends, inverse: "fans"), .toMany("fans", \.fans, inverse: "friends"))

  var keyTexts: [String] {
    [
      "\(id)", quote(name), keyText(rank), network?.modelText ?? "nil", keyText(mentor),
      keyText(mentees), keyText(friends), keyText(fans),
    ]
  }
}

struct Show: OracleModel {
  var id: Int
  var title: String
  var rank: Int
  var host: Host?
  var guests: Set<ModelReference<Host>>
  var episodes: [Episode]

  static let kind = ModelKind.show
  static let relatedKeys: Set<String> = ["host", "guests", "episodes"]
  static let mapping = Mapping(
    "Show", Show.init, .key("id", \.id, .unique), .key("title", \.title, .indexed),
    .key("rank", \.rank), .toOne("host", \.host), .toMany("guests", \.guests),
    .toMany("episodes", \.episodes, inverse: "show", onDelete: .cascade))

  var keyTexts: [String] {
    [
      "\(id)", quote(title), "\(rank)", host?.modelText ?? "nil", keyText(guests),
      "[\(episodes.map(\.modelText).joined(separator: " "))]",
    ]
  }
}

struct Episode: OracleModel {
  var id: Int
  var title: String
  var season: Int?
  var minutes: Int
  var show: ModelReference<Show>?
  var tags: [Tag]
  var notes: [Note]

  static let kind = ModelKind.episode
  static let relatedKeys: Set<String> = ["tags", "notes"]
  static let mapping = Mapping(
    "Episode", Episode.init, .key("id", \.id, .unique), .key("title", \.title),
    .key("season", \.season, .indexed), .key("minutes", \.minutes),
    .toOne("show", \.show, inverse: "episodes"), .toMany("tags", \.tags, inverse: "episodes"),
    .toMany("notes", \.notes, inverse: "episode"))

  var keyTexts: [String] {
    [
      "\(id)", quote(title), keyText(season), "\(minutes)", keyText(show),
      "[\(tags.map(\.modelText).joined(separator: " "))]",
      "[\(notes.map(\.modelText).joined(separator: " "))]",
    ]
  }
}

/// A model whose unique key is text, so its row ID is hidden.
struct Tag: OracleModel {
  var name: String
  var weight: Int
  var episodes: [ModelReference<Episode>]

  static let kind = ModelKind.tag
  static let relatedKeys: Set<String> = ["episodes"]
  static let mapping = Mapping(
    "Tag", Tag.init, .key("name", \.name, .unique), .key("weight", \.weight),
    .toMany("episodes", \.episodes, inverse: "tags"))

  var keyTexts: [String] { [quote(name), "\(weight)", keyText(episodes)] }
}

/// A model without a unique key. Only its row ID identifies it.
struct Note: OracleModel {
  var text: String?
  var weight: Int
  var episode: ModelReference<Episode>?

  static let kind = ModelKind.note
  static let relatedKeys: Set<String> = []
  static let mapping = Mapping(
    "Note", Note.init, .key("text", \.text), .key("weight", \.weight),
    .toOne("episode", \.episode, inverse: "notes"))

  var keyTexts: [String] {
    [text.map(quote) ?? "NULL", "\(weight)", keyText(episode)]
  }
}

extension OracleModel {
  /// The text of the model when it is nested in another one.
  var modelText: String { "\(Self.kind.rawValue)(\(keyTexts.joined(separator: ",")))" }

  /// The names of the keys, in declaration order.
  static var keyNames: [String] { mapping.keys.map(\.name) }
}

/// A text as SQLite's `quote` writes it.
func quote(_ text: String) -> String {
  "'\(text.split(separator: "'", omittingEmptySubsequences: false).joined(separator: "''"))'"
}

private func keyText(_ number: Int?) -> String { number.map { "\($0)" } ?? "NULL" }

private func keyText<Target>(_ reference: ModelReference<Target>?) -> String {
  switch reference?.key {
  case .int64(let key)?: "\(key)"
  case .string(let key)?: quote(key)
  case let key?: "\(key)"
  case nil: "NULL"
  }
}

private func keyText<Target>(_ references: [ModelReference<Target>]) -> String {
  "[\(references.map { keyText($0) }.joined(separator: " "))]"
}

private func keyText<Target>(_ references: Set<ModelReference<Target>>) -> String {
  let keys = references.map { reference -> Int64 in
    if case .int64(let key) = reference.key { return key }
    return -1
  }
  return "[\(keys.sorted().map { "\($0)" }.joined(separator: " "))]"
}
