import CommandTesting
import Foundation
import Testing

@Suite(.timeLimit(.minutes(20))) struct ImportProgressTests {
  private static let count = 200_000

  /// An import that takes longer than the half second after which the bar is
  /// shown.
  private func largeFeed(in folder: TemporaryFolder) throws {
    let data = (1...Self.count).map {
      ScreencastItem(number: $0, title: "Episode \($0)", date: "2014-04-10T08:00:00Z")
    }.data
    _ = try folder.file("feed.json", data)
  }

  @Test func aTerminalShowsABar() async throws {
    let folder = try TemporaryFolder()
    try largeFeed(in: folder)
    let program = try ScreenProgram([Tool.episodeFeed.url.path, "import", "feed.json"], in: folder)

    try await program.wait(forMoment: "a bar") {
      $0.text.contains("of \(Self.count) episodes") && $0.text.contains(" %  ")
    }
    try await program.wait(for: "inserted \(Self.count)")
    #expect(!program.screen.text.contains("of \(Self.count) episodes"))
  }

  @Test func otherOutputHasNoBar() async throws {
    let folder = try TemporaryFolder()
    try largeFeed(in: folder)

    let result = try await Tool.episodeFeed.run(["import", "feed.json"], in: folder)

    #expect(result.errors == "")
    #expect(result.output.hasPrefix("inserted \(Self.count), updated 0"))
    #expect(result.output.filter { $0 == "\n" }.count == 1)
  }
}
