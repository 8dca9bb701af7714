import CommandTesting
import EpisodeFeed
import Foundation
import Moho
import Testing

/// `watch` without a terminal, while other processes write to its store.
@Suite struct WatchTests {
  @Test(.timeLimit(.minutes(20)), arguments: [(SIGINT, ["--plain"]), (SIGTERM, []), (SIGQUIT, [])])
  func changesByOtherProcessesArePrintedUntilASignal(
    signal: Int32, options: [String]
  ) async throws {
    let folder = try TemporaryFolder()
    var items = ScreencastItem.three
    _ = try folder.file("one.json", items.data)
    items[2].date = "2014-04-17T08:00:00Z"
    items[2].title = "Rows that Move"
    items.remove(at: 1)
    _ = try folder.file("two.json", items.data)
    let watch = try Watch(options, in: folder)
    #expect(await watch.errors.next() == "Watching 0 episodes. Quit with Ctrl-C.")

    _ = try await Tool.episodeFeed.run(
      ["import", "one.json", "--store", "store.sqlite"], in: folder)
    let inserts = await [watch.output.next(), watch.output.next(), watch.output.next()]
    _ = try await Tool.episodeFeed.run(
      ["import", "two.json", "--mirror", "--store", "store.sqlite"], in: folder)
    let changes = await [watch.output.next(), watch.output.next()]
    watch.send(signal)

    #expect(
      inserts == [
        #"insert [0, 0]  115 "Models""#, #"insert [0, 1]  114 "Maps""#,
        #"insert [0, 2]  113 "Rows""#,
      ])
    #expect(
      changes == [
        #"delete [0, 1]  114 "Maps""#,
        #"move [0, 2] → [0, 0] changed title, publishedAt  113 "Rows that Move""#,
      ])
    #expect(await watch.output.next() == nil)
    #expect(await watch.status == signal)
  }
}
