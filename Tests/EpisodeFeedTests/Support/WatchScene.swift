import CommandTesting
import EpisodeFeed
import Foundation
import Moho
import Testing

/// A store of three episodes in a temporary folder, and `watch` processes in
/// terminals.
struct WatchScene {
  let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    try EpisodeImporter(folder.store()).import(Feed(reading: ScreencastItem.three.data))
  }

  /// Runs `watch` without a time limit for marks and messages, and waits until
  /// it shows the list.
  func watch(
    width: Int = 60, height: Int = 12,
    environment: [String: String] = [:]
  ) async throws -> ScreenProgram {
    let words = [Tool.episodeFeed.url.path, "watch", "--store", "store.sqlite", "--linger", "600"]
    let program = try ScreenProgram(
      words, in: folder, width: width, height: height, environment: environment)
    try await program.wait(for: "Models")
    return program
  }

  /// The `watch` command for a shell.
  var watchCommand: String { "'\(Tool.episodeFeed.url.path)' watch --store store.sqlite" }

  /// Runs a script in a terminal with job control.
  func shell(_ script: String) throws -> ScreenProgram {
    try ScreenProgram(["/bin/sh", "-c", "set -m; \(script)"], in: folder)
  }

  func importFeed(_ items: [ScreencastItem], _ options: String...) async throws {
    _ = try folder.file("feed.json", items.data)
    let result = try await Tool.episodeFeed.run(
      ["import", "feed.json", "--store", "store.sqlite"] + options, in: folder)
    #expect(result.status == 0)
  }

  func episode(_ id: String) throws -> Episode { try folder.store().episode(id) }

  /// Quits, and expects that the terminal is restored.
  func quit(_ program: ScreenProgram, _ location: SourceLocation = #_sourceLocation)
    async throws
  {
    program.send("q")
    #expect(await program.waitForEnd() == 0, sourceLocation: location)
    expectCooked(program, location)
  }

  func expectCooked(
    _ program: ScreenProgram, _ location: SourceLocation = #_sourceLocation
  ) {
    #expect(program.terminal.isCooked, sourceLocation: location)
    #expect(program.screen.modes == [7, 25], sourceLocation: location)
    #expect(program.screen.unknown == [], sourceLocation: location)
    #expect(!program.screen.text.contains("Models"), sourceLocation: location)
  }
}
