import TextTables

/// The help texts of the screen.
enum WatchHelp {
  /// The entries of the help line, the most important first.
  static func browsing(_ bindings: KeyBindings) -> [String] {
    KeyBindings.Command.helpLine.compactMap { command, name in
      bindings.shownKey(of: command).map { "\($0) \(name)" }
    }
  }

  /// The entries of the help line of the list of podcasts, in addition to those of fixed
  /// keys.
  static func podcasts(_ bindings: KeyBindings) -> [String] {
    [(KeyBindings.Command.refresh, "refresh"), (.quit, "quit")].compactMap { command, name in
      bindings.shownKey(of: command).map { "\($0) \(name)" }
    }
  }

  /// The columns of the keys on the help screen.
  private static let keyWidth = 18
  /// The columns of the texts on the help screen.
  private static let textWidth = 58

  /// The lines of the help screen.
  static func lines(_ bindings: KeyBindings) -> [String] {
    let groups = KeyBindings.Command.groups.map { commands in
      commands.flatMap { command in
        let keys = bindings.shownKeys(of: command)
        return keys.isEmpty ? [] : entry(keys, command.summary)
      }
    }
    let terminal = entry("Ctrl-L  Ctrl-Z", "redraw, suspend") + entry("Ctrl-C", "quit")
    let all = groups.filter { !$0.isEmpty } + [terminal, mouse, marks]
    return all.flatMap { [""] + $0 }
  }

  private static func entry(_ keys: String, _ text: String) -> [String] {
    let space = String(repeating: " ", count: max(2, keyWidth - TextWidth.of(keys)))
    let indentation = String(repeating: " ", count: 2 + keyWidth)
    return TextWidth.wrap(text, to: textWidth).enumerated().map { number, line in
      number == 0 ? "  \(keys)\(space)\(line)" : indentation + line
    }
  }

  private static let mouse =
    entry("click", "select an episode; double-click opens its page")
    + entry("wheel", "scroll the list, or the show notes")
    + entry("", "Most terminals select text while Shift is pressed.")

  private static let marks = [
    "  +  new   ~  changed   ↑ ↓  moved   ↑~ ↓~  moved and changed   −  deleted"
  ]
}
