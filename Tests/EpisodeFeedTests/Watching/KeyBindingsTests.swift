import Moho
import TerminalScreen
import Testing

@testable import EpisodeFeed

@Suite struct KeyBindingsTests {
  private func mistakes(in text: String) -> [String] {
    let error = #expect(throws: KeyBindingsError.self) { try KeyBindings(text) }
    return error?.mistakes.map { "\($0)" } ?? []
  }

  @Test func theDefaultBindingsAreTheTextOfAFile() throws {
    let bindings = KeyBindings()

    #expect(try KeyBindings(bindings.text) == bindings)
    #expect(try KeyBindings("") == bindings)
    #expect(bindings.text.contains("\nnext-unplayed = N\nnext-unplayed = Tab\n"))
  }

  @Test func everyCommandHasKeysThatNoOtherCommandHas() {
    let keys = KeyBindings.Command.allCases.flatMap(\.defaultKeys)

    #expect(Set(keys).count == keys.count)
    for command in KeyBindings.Command.allCases {
      #expect(!command.defaultKeys.isEmpty, "\(command)")
      #expect(command.defaultKeys.allSatisfy { KeyBindings()[$0] == command }, "\(command)")
    }
  }

  @Test func everyCommandIsInTheHelp() {
    let commands = KeyBindings.Command.groups.flatMap { $0 }

    #expect(commands.count == KeyBindings.Command.allCases.count)
    #expect(Set(commands) == Set(KeyBindings.Command.allCases))
  }

  @Test func aCommandInTheFileHasOnlyTheKeysOfItsLines() throws {
    let bindings = try KeyBindings(
      """
      \u{FEFF}# My keys.
        delete = Ctrl-D   # an example
      delete=x\r
      search = =
      quit =

      next-unplayed = Space
      """)

    #expect(bindings.keys(of: .delete) == [.control("d"), .character("x")])
    #expect(bindings[.character("d")] == nil)
    #expect(bindings[.character("=")] == .search)
    #expect(bindings.keys(of: .quit) == [])
    #expect(bindings.keys(of: .undo) == [.character("u")])
    // The file takes the space key from a command that it does not name.
    #expect(bindings[.character(" ")] == .nextUnplayed)
    #expect(bindings.keys(of: .togglePlayed) == [.character("p")])
  }

  @Test(arguments: [
    ("next = N", #"unknown command: "next""#),
    ("Quit = q", #"unknown command: "Quit""#),
    ("quit = F1", #"unknown key: "F1""#),
    ("quit = a b", #"unknown key: "a b""#),
    ("quit = Ctrl-I", #"unknown key: "Ctrl-I""#),
    ("quit = \u{1B}[2J", #"unknown key: "\u{1B}[2J""#),
    ("quit", #"expected `command = key`, found "quit""#),
    ("= q", #"expected `command = key`, found "= q""#),
    ("quit = Esc", "the key Esc cannot be bound"),
    ("quit = ctrl-z", "the key Ctrl-Z cannot be bound"),
  ])
  func aMistakeIsReportedWithItsLine(line: String, message: String) {
    #expect(mistakes(in: "# Keys\n\n\(line)  # note\n") == ["line 3: \(message)"])
  }

  @Test func aKeyIsBoundOnce() {
    #expect(
      mistakes(in: "undo = x\nredo = Ctrl-X\nquit = X\ndelete = x\nredo = ctrl-x")
        == [
          "line 4: the key x is already bound on line 1",
          "line 5: the key Ctrl-X is already bound on line 2",
        ])
  }

  @Test func allMistakesAreReported() {
    #expect(mistakes(in: (1...50).map { "c\($0) = x" }.joined(separator: "\n")).count == 50)
  }

  @Test func theScreenRunsAndShowsTheBoundKeys() async throws {
    let bindings = try KeyBindings("delete = x\nselect-next = n\nquit =\ntoggle-played = Left")
    var watcher = try Watcher(
      Episode.numbered(1...3), width: 80, height: 40, bindings: bindings)

    try await watcher.press(.character("n"), .character("x"), .character("q"), .character("d"))
    #expect(try await watcher.store.fetch(EpisodeList().request).map(\.id) == ["1", "3"])
    #expect(!watcher.actions.contains(.quit))
    #expect(watcher.lines.last?.hasPrefix(" ? help · / search · P podcasts") == true)
    try await watcher.press(.character("?"))

    #expect(watcher.rows.contains("  x                 delete"))
    #expect(watcher.rows.contains("  ←                 mark as played or not played"))
    #expect(!watcher.rows.contains { $0.hasSuffix("  quit") && !$0.contains("Ctrl-C") })
  }
}
