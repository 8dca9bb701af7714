import TerminalScreen
import Testing

@Suite struct KeyNameTests {
  private static let keys: [Key] =
    "qQ7/?#= é日🎙".map { .character($0) }
    + "abcdefgklnopqrstuvwxyz".map { .control($0) } + "xX?".map { .alternate($0) }
    + [
      .enter, .tab, .backTab, .backspace, .delete, .escape, .up, .down, .left, .right, .home, .end,
      .pageUp, .pageDown,
    ]

  @Test func aKeyHasTheNameThatCreatesIt() {
    for key in Self.keys { #expect(key.name.flatMap { Key(name: $0) } == key, "\(key)") }
  }

  @Test func namesDifferAndHaveNoSpaces() {
    let names = Self.keys.compactMap(\.name)

    #expect(names.count == Self.keys.count)
    #expect(Set(names).count == names.count)
    #expect(names.allSatisfy { !$0.isEmpty && !$0.contains(" ") })
  }

  @Test(
    arguments: [
      ("ctrl-r", .control("r")), ("CTRL-R", .control("r")), ("PGUP", .pageUp), ("pgdn", .pageDown),
      ("return", .enter), ("escape", .escape), ("del", .delete), ("space", .character(" ")),
      ("Alt-X", .alternate("X")),
    ] as [(String, Key)])
  func namesIgnoreCaseAndHaveAliases(name: String, key: Key) {
    #expect(Key(name: name) == key)
  }

  /// A terminal sends Ctrl-H, Ctrl-I, Ctrl-J and Ctrl-M as other keys, and
  /// begins sequences with Alt-[ and Alt-O.
  @Test(arguments: [
    "", " ", "ab", "F1", "Ctrl-", "Ctrl-1", "Ctrl-ab", "Ctrl-H", "Ctrl-I", "Ctrl-J", "Ctrl-M",
    "Alt-", "Alt-[", "Alt-O", "Alt-é", "Shift-A", "\u{1B}", "\u{202E}", "\u{301}", "N K",
  ])
  func otherTextIsNotTheNameOfAKey(name: String) {
    #expect(Key(name: name) == nil)
  }

  @Test(
    arguments: [
      .paste("a"), .mouse(MouseEvent(.press, line: 0, column: 0)), .character("\u{202E}"),
    ] as [Key])
  func otherActionsHaveNoName(key: Key) {
    #expect(key.name == nil)
  }
}
