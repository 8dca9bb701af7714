import CommandTesting
import EpisodeFeed
import Foundation
import GRDB
import Moho
import Testing

@Suite struct LargeImportTests {
  @Test func importingTenThousandEpisodesAgainWritesNoRow() throws {
    let folder = try TemporaryFolder()
    let store = try folder.store()
    let data = (1...10_000).map {
      ScreencastItem(number: $0, title: "Episode \($0)", date: "2014-04-10T08:00:00Z")
    }.data
    let importer = EpisodeImporter(store)

    var progress: [ImportProgress] = []
    let first = try importer.import(Feed(reading: data)) { progress.append($0) }
    let writes = try store.writer.unsafeReentrantWrite { $0.totalChangesCount }
    let second = try importer.import(Feed(reading: data), .mirror)

    #expect(first == ImportReport(inserted: 10_000))
    #expect(
      progress.map(\.completedModels) == Array(stride(from: 1_000, through: 10_000, by: 1_000)))
    #expect(progress.allSatisfy { $0.totalModels == 10_000 })
    #expect(second == ImportReport(unchanged: 10_000))
    #expect(try store.writer.unsafeReentrantWrite { $0.totalChangesCount } == writes)
  }
}
