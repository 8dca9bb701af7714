import CommandTesting
import EpisodeFeed
import Foundation
import GRDB
import Moho
import Testing

/// Searches in stores with and without a full-text index.
@Suite struct SearchTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// Writes a store without an index, as previous versions of the program did.
  private func writeOldStore() throws {
    try folder.store().write { writer in
      try writer.save([
        Episode(id: "1", title: "Moho", summary: "A boundary", podcast: "P"),
        Episode(id: "2", title: "Core", podcast: "P"),
      ])
    }
    let queue = try DatabaseQueue(path: folder.path("store.sqlite"))
    try queue.write { database in
      let index = "_moho search (Episode)"
      for event in ["insert", "delete", "update"] {
        try database.execute(sql: "DROP TRIGGER \"\(index) \(event)\"")
      }
      try database.execute(sql: "DROP TABLE \"\(index)\"")
    }
    try queue.close()
  }

  private func ids(_ search: String) throws -> [String] {
    let list = EpisodeList(search: search)
    return try folder.store().fetch(list.request).map(\.id)
  }

  @Test func anOldStoreReceivesTheIndexWhenItIsOpened() throws {
    try writeOldStore()

    #expect(try ids("mo") == ["1"])
    #expect(try ids("bound moho").isEmpty)
    #expect(try ids("moho bound") == ["1"])
    #expect(try ids("oho").isEmpty)
    try folder.store().write { _ = try $0.save(Episode(id: "3", title: "Motion", podcast: "P")) }
    #expect(try ids("mo") == ["1", "3"])
  }

  @Test func aSearchReadsTheIndexAndNotAllTexts() throws {
    let store = try ModelStore(inMemory: Episode.self)

    let words = "\(EpisodeList(search: "moho").request.filter)"
    let text = "\(EpisodeList(search: "?").request.filter)"

    #expect(words.contains("row matches"))
    #expect(!text.contains("row matches"))
    #expect(try store.fetch(EpisodeList(search: "moho").request).isEmpty)
  }
}
