import CommandTesting
import EpisodeFeed
import Foundation
import Moho
import Testing

/// Searches in stores with and without a full-text index.
@Suite struct SearchTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// Creates a store as programs without a search index did.
  private func writeOldStore() throws {
    let entity = Entity(Episode.mapping)
    let old = Entity(
      entity.name, attributes: entity.attributes, identifiedBy: entity.identifyingKeys,
      unique: entity.uniqueKeys, indexes: entity.indexes)
    let store = try ModelStore(path: folder.path("store.sqlite"), entities: [old])
    try store.write { writer in
      try writer.execute(
        sql: """
          INSERT INTO Episode (id, title, summary, kind, podcast, isPlayed) VALUES
          ('1', 'Moho', 'A boundary', 'free', 'P', 0), ('2', 'Core', NULL, 'free', 'P', 0)
          """)
    }
  }

  private func ids(_ search: String) throws -> [String] {
    let list = EpisodeList(search: search)
    return try list.withRequest { try folder.store().fetch($0) }.map(\.id)
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

  @Test func onlyAStoreThatCannotSearchReadsAllTexts() throws {
    struct Other: Error {}
    var filters: [String] = []

    #expect(throws: Other.self) {
      try EpisodeList(search: "moho").withRequest { request in
        filters.append("\(request.filter)")
        throw Other()
      }
    }

    #expect(filters.count == 1)
  }
}
