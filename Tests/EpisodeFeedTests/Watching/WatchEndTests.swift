import CommandTesting
import EpisodeFeed
import Foundation
import GRDB
import Moho
import Testing

/// The end of `watch`.
@Suite(.timeLimit(.minutes(20))) struct WatchEndTests {
  private let scene: WatchScene

  init() throws { scene = try WatchScene() }

  @Test(arguments: [SIGINT, SIGTERM, SIGHUP, SIGQUIT])
  func aSignalEndsTheProgramAndRestoresTheTerminal(signal: Int32) async throws {
    let program = try await scene.watch()

    program.signal(signal)

    #expect(await program.waitForEnd() == -signal)
    scene.expectCooked(program)
  }

  // After SIGINT, the shell ends, too.
  @Test(arguments: [SIGTERM, SIGHUP, SIGQUIT])
  func aShellSeesTheSignal(signal: Int32) async throws {
    let program = try scene.shell("\(scene.watchCommand); echo status $?")
    try await program.wait(for: "Models")

    program.signalJob(signal)

    try await program.wait(for: "status \(128 + signal)")
    #expect(await program.waitForEnd() == 0)
    #expect(program.screen.modes == [7, 25])
  }

  @Test(arguments: [SIGABRT, SIGSEGV, SIGILL, SIGTRAP])
  func aCrashRestoresTheTerminal(signal: Int32) async throws {
    let program = try await scene.watch()

    program.signal(signal)

    let status = await program.waitForEnd()
    #expect([-signal, 128 + signal].contains(status ?? 0))
    scene.expectCooked(program)
  }

  @Test func closingTheTerminalEndsTheProgramSilently() async throws {
    let errors = try NamedPipe("errors", in: scene.folder)
    let program = try scene.shell("exec \(scene.watchCommand) 2>errors")
    try await program.wait(for: "Models")

    program.terminal.hangUp()

    let status = await program.waitForEnd()
    #expect(status == -SIGHUP)
    #expect(await errors.text() == "")
  }

  @Test func controlCEndsTheProgramWhileATitleIsEdited() async throws {
    let program = try await scene.watch()
    program.send("e")
    try await program.wait(for: "Enter saves")

    program.send("x\u{3}")

    #expect(await program.waitForEnd() == 0)
    scene.expectCooked(program)
    #expect(try scene.episode("115").title == "Models")
  }

  @Test func editsBeforeQuittingAreSaved() async throws {
    let program = try await scene.watch()

    program.send("jdq")

    #expect(await program.waitForEnd() == 0)
    #expect(throws: FeedError.self) { try scene.episode("114") }
  }

  @Test func theTerminalIsRestoredBeforeAnErrorIsReported() async throws {
    let program = try await scene.watch()

    try await scene.folder.store().writer.write { try $0.execute(sql: "DROP TABLE Episode") }

    let status = await program.waitForEnd()
    #expect(status != 0)
    scene.expectCooked(program)
    #expect(program.screen.lines[0].hasPrefix("Error: "))
  }

  @Test func aDumbTerminalReceivesLines() async throws {
    let program = try ScreenProgram(
      [Tool.episodeFeed.url.path, "watch", "--store", "store.sqlite"], in: scene.folder,
      environment: ["TERM": "dumb"])
    try await program.wait(for: "Watching 3 episodes.")

    try await scene.importFeed(Array(ScreencastItem.three.dropFirst()), "--mirror")
    try await program.wait(for: #"delete [0, 0]  115 "Models""#)
    program.signal(SIGTERM)

    #expect(await program.waitForEnd() == -SIGTERM)
    #expect(program.screen.modes == [7, 25])
  }
}
