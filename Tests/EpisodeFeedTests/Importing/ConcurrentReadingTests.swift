import CommandTesting
import EpisodeFeed
import Foundation
import Moho
import Testing

@Suite struct ConcurrentReadingTests {
  // F-13
  @Test func readsDuringImportsSeeOneCommittedState() async throws {
    let folder = try TemporaryFolder()
    let store = try folder.store()
    let feeds = try ["A", "B"].map { title in
      let count = title == "A" ? 40 : 30
      return try Feed(
        reading: (1...count).map {
          ScreencastItem(number: $0, title: title, date: "2014-04-10T08:00:00Z")
        }.data)
    }
    let importer = EpisodeImporter(store)
    try importer.import(feeds[0], .mirror)
    let controller = try await EpisodeList().controller(in: store)

    try await withThrowingTaskGroup(of: Void.self) { group in
      group.addTask {
        var number = 0
        while !Task.isCancelled {
          number += 1
          try importer.import(feeds[number % 2], .mirror)
          await Task.yield()
        }
      }
      var completeReads = 0
      for _ in 0..<1_000 {
        let snapshot = controller.snapshot
        #expect([30, 40].contains(snapshot.count))
        do {
          let models = try snapshot.models()
          completeReads += 1
          #expect(Set(models.map(\.title)) == [snapshot.count == 40 ? "A" : "B"])
        } catch let error as ResultsError {
          // The store has changed since the snapshot, which never mixes states.
          #expect(error.code == .rowChanged || error.code == .rowDeleted)
        }
        await Task.yield()
      }
      group.cancelAll()
      try await group.waitForAll()
      #expect(completeReads > 0)
    }
  }
}
