import CommandTesting
import EpisodeFeed
import Foundation
import Testing

/// The file with the keys of `watch`.
@Suite(.timeLimit(.minutes(20))) struct KeyFileTests {
  private let scene: WatchScene

  init() throws { scene = try WatchScene() }

  private func writeFile(_ text: String) throws {
    let folder = scene.folder.url.appending(path: "configuration/episode-feed")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    try Data(text.utf8).write(to: folder.appending(path: "keys"))
  }

  @Test func theFileInTheConfigurationFolderIsRead() async throws {
    try writeFile("quit = x\nselect-next = n\n")
    let program = try await scene.watch()

    program.send("nqn")
    try await program.wait(for: "3/3")
    #expect(program.screen.lines[11].hasPrefix(" ? help · x quit · / search"))
    program.send("x")

    #expect(await program.waitForEnd() == 0)
  }

  @Test func theOptionReplacesTheFile() async throws {
    try writeFile("quit = x\n")
    _ = try scene.folder.file("other", Data("select-next = Tab\n".utf8))
    let program = try scene.shell("\(scene.watchCommand) --keys other")
    try await program.wait(for: "Models")

    program.send("\t")
    try await program.wait(for: "2/3")

    try await scene.quit(program)
  }

  @Test(
    arguments: [
      ("quit = F1\n", "Error: other: line 1: unknown key: \"F1\"", 65),
      ("a\nb\n", "Error: other: 2 lines are invalid", 65), ("\u{0}", "Error: other: line 1:", 65),
      (nil, "Error: other: cannot be read: no such file", 66),
    ] as [(String?, String, Int32)])
  func mistakesAreReportedBeforeTheScreenIsFilled(
    text: String?, message: String, status: Int32
  ) async throws {
    if let text { _ = try scene.folder.file("other", Data(text.utf8)) }

    let program = try scene.shell("exec \(scene.watchCommand) --keys other")

    #expect(await program.waitForEnd() == status)
    #expect(program.screen.text.contains(message))
    #expect(program.screen.clearCount == 0)
  }

  @Test func theDefaultKeysArePrinted() async throws {
    try writeFile("quit = x\n")

    let result = try await Tool.episodeFeed.run(["watch", "--print-keys"], in: scene.folder)

    #expect(result.status == 0)
    #expect(result.errors == "")
    #expect(result.output == KeyBindings().text)
  }

  @Test func linesWithoutAScreenNeedNoKeys() async throws {
    try writeFile("nonsense\n")
    let watch = try Watch([], in: scene.folder)

    #expect(await watch.errors.next() == "Watching 3 episodes. Quit with Ctrl-C.")
    watch.send(SIGTERM)
    #expect(await watch.status == SIGTERM)
  }
}
