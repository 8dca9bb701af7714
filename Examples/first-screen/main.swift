import Foundation
import Moho

struct Episode: MappedModel {
  var id: Int
  var title: String
  var publishedAt: Date
  static let mapping = Mapping(
    "Episode", Episode.init,
    .key("id", \.id, .unique), .key("title", \.title),
    .key("publishedAt", \.publishedAt, json: "published.at"))
}

let store = try ModelStore(inMemory: Episode.self)
func load(_ json: String) async throws {
  let episodes = try JSONAdapter<Episode>().models(from: Data(json.utf8))
  try await store.write { try $0.save(episodes) }
}
try await load(#"[{"id": 1, "title": "Lava", "published": {"at": "2026-11-02T08:00:00Z"}}]"#)
try await load(#"[{"id": 2, "title": "Ash", "published": {"at": "2026-11-01T08:00:00Z"}}]"#)

let newest = ModelRequest<Episode>().order(by: \.publishedAt, .descending)
let updates = try ResultsController(newest, in: store).updates
try await load(#"[{"id": 2, "title": "Obsidian", "published": {"at": "2026-11-03T08:00:00Z"}}]"#)
for try await update in updates.prefix(1) { print(update.changes) }
