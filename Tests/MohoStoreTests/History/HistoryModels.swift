import Foundation
import GRDB
import MohoMapping
import MohoRows
import MohoSQLite
import StoreTesting

/// A model with a text key and rows that are deleted with it.
struct RecordedShow: MappedModel, Hashable {
  var name: String
  var title = ""
  var episodes: [ModelReference<RecordedEpisode>] = []

  static let mapping = Mapping(
    "Show", RecordedShow.init,
    .key("name", \.name, .unique), .key("title", \.title, default: ""),
    .toMany("episodes", \.episodes, inverse: "show", onDelete: .cascade))
}

/// A model with an integer key, an optional link and links in a table.
struct RecordedEpisode: MappedModel, Hashable {
  var id: Int
  var title = ""
  var season: Int?
  var show: ModelReference<RecordedShow>?
  var tags: [ModelReference<RecordedTag>] = []

  static let mapping = Mapping(
    "Episode", RecordedEpisode.init,
    .key("id", \.id, .unique), .key("title", \.title, default: ""), .key("season", \.season),
    .toOne("show", \.show, inverse: "episodes"), .toMany("tags", \.tags, inverse: "episodes"))
}

struct RecordedTag: MappedModel, Hashable {
  var name: String
  var episodes: Set<ModelReference<RecordedEpisode>>?

  static let mapping = Mapping(
    "Tag", RecordedTag.init,
    .key("name", \.name, .unique), .toMany("episodes", \.episodes))
}

/// A model without a unique key, and names with commas and percent signs.
struct RecordedNote: MappedModel, Hashable {
  var text: String
  var percent = 0

  static let mapping = Mapping(
    "Note, 100%", RecordedNote.init,
    .key("text, plain", \.text), .key("100%2C", \.percent, default: 0))
}

extension ModelReference {
  static func of(_ key: some FieldValue, _ others: any FieldValue...) -> ModelReference {
    let key = try? FieldRecorder.content(of: key)
    let others = others.compactMap { try? FieldRecorder.content(of: $0) }
    let content: FieldContent = others.isEmpty ? key ?? .null : .array([key ?? .null] + others)
    guard let reference = try? ModelReference(content: content) else {
      fatalError("\(content) is not a key of \(Target.self)")
    }
    return reference
  }
}

extension StoreConfiguration {
  static var recording: StoreConfiguration {
    var configuration = StoreConfiguration()
    configuration.history = .enabled()
    return configuration
  }
}

/// Returns an empty store with shows, episodes, tags, notes, feeds and parts.
func recordingStore() throws -> ModelStore {
  try emptyStore(
    RecordedShow.self, RecordedTag.self, RecordedNote.self, IdentityPart.self,
    IdentityPair.self, history: .enabled())
}

extension ModelStore {
  /// Runs a closure, and returns a description of what it has changed.
  func changes(of body: () throws -> Void) throws -> String {
    let token = try currentHistoryToken()
    try body()
    return try fetchChanges(since: token).description
  }

  /// Sets the age in days of all changes recorded so far that are not older.
  func ageHistory(by days: Int, where condition: String = "true") throws {
    if isOnPostgres {
      try execute(
        "UPDATE \"_moho history\" SET date = date - interval '\(days) days' WHERE \(condition)")
      return
    }
    for table in ["_moho history", "_moho history transactions"] {
      try writer.write {
        try $0.execute(sql: "UPDATE \"\(table)\" SET date = date - ?", arguments: [days])
      }
    }
  }
}
