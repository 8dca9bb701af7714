import CommandTesting
import Foundation
import Testing

/// `watch` as a job of a shell, which stops and continues it.
@Suite(.timeLimit(.minutes(20))) struct WatchJobTests {
  private let scene: WatchScene

  init() throws { scene = try WatchScene() }

  /// Ways to stop a job in the foreground.
  enum Stop: CaseIterable {
    case key, signal

    func callAsFunction(_ program: ScreenProgram) {
      switch self {
      case .key: program.send("\u{1A}")
      case .signal: program.signalJob(SIGTSTP)
      }
    }
  }

  @Test(arguments: Stop.allCases)
  func aStoppedJobRestoresTheTerminalUntilItContinues(stop: Stop) async throws {
    let program = try scene.shell(
      "\(scene.watchCommand); echo in the shell; read line; fg; echo over")
    try await program.wait(for: "Models")

    program.send("j")
    try await program.wait(for: "2/3")
    stop(program)
    try await program.wait(for: "in the shell")
    #expect(!program.screen.isAlternate)
    #expect(program.screen.modes == [7, 25])
    #expect(program.terminal.isCooked)
    let clearCount = program.screen.clearCount
    program.send("\n")
    try await program.wait("the list") { $0.isAlternate && $0.text.contains("2/3") }
    #expect(program.screen.text.contains("Models"))
    #expect(program.screen.clearCount > clearCount)
    #expect(!program.terminal.isCooked)
    program.send("q")
    try await program.wait(for: "over")

    #expect(await program.waitForEnd() == 0)
    #expect(program.terminal.isCooked)
    #expect(program.screen.modes == [7, 25])
  }

  @Test func aStoppedJobEndsSilentlyWhenItsTerminalIsClosed() async throws {
    let errors = try NamedPipe("errors", in: scene.folder)
    let program = try scene.shell(
      "\(scene.watchCommand) 2>errors; echo in the shell; read line")
    try await program.wait(for: "Models")

    program.send("\u{1A}")
    try await program.wait(for: "in the shell")
    program.terminal.hangUp()

    #expect(await errors.text() == "")
  }

  @Test(arguments: [SIGTSTP, SIGSTOP])
  func aTerminatedStoppedJobEndsInTheBackground(stop: Int32) async throws {
    let errors = try NamedPipe("errors", in: scene.folder)
    let program = try scene.shell(
      "\(scene.watchCommand) 2>errors; kill -TERM %1; kill -CONT %1; read line; echo over")
    try await program.wait(for: "Models")

    program.signalJob(stop)

    #expect(await errors.text() == "")
    program.send("\n")
    try await program.wait("the shell") { $0.text.contains("over") && $0.modes == [7, 25] }
    // A process that is stopped by `SIGSTOP` cannot restore the terminal.
    #expect(program.terminal.isCooked || stop == SIGSTOP)
  }

  @Test func aJobInTheBackgroundDoesNotUseTheTerminal() async throws {
    let program = try scene.shell(
      "\(scene.watchCommand); bg; wait; echo stopped again; read line; fg; echo over")
    try await program.wait(for: "Models")

    program.send("\u{1A}")
    try await program.wait(for: "stopped again")
    #expect(!program.screen.isAlternate)
    #expect(program.terminal.isCooked)
    program.send("\n")
    try await program.wait("the list") { $0.isAlternate && $0.text.contains("Models") }
    program.send("q")

    try await program.wait(for: "over")
    #expect(program.screen.modes == [7, 25])
  }
}
