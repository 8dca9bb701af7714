import TextTables

/// The capabilities of a terminal.
public struct TerminalTraits: Hashable, Sendable {
  /// Whether the cursor can be moved to any position.
  public var isAddressable: Bool
  /// Whether the user wants colors (<https://no-color.org>).
  public var hasColor: Bool
  /// Whether the terminal shows Unicode text, not just ASCII.
  public var isUTF8: Bool

  /// Creates traits; by default those of a terminal with all capabilities.
  public init(isAddressable: Bool = true, hasColor: Bool = true, isUTF8: Bool = true) {
    self.isAddressable = isAddressable
    self.hasColor = hasColor
    self.isUTF8 = isUTF8
  }

  /// The traits according to `TERM`, `NO_COLOR`, and the first of `LC_ALL`,
  /// `LC_CTYPE` and `LANG` that is not empty.
  public init(environment: [String: String]) {
    let terminal = environment["TERM"] ?? ""
    let locale = ["LC_ALL", "LC_CTYPE", "LANG"].compactMap { environment[$0] }
      .first { !$0.isEmpty }
    let encoding = (locale ?? "").lowercased().filter { $0 != "-" }
    self.init(
      isAddressable: !["", "dumb", "unknown"].contains(terminal),
      hasColor: environment["NO_COLOR", default: ""].isEmpty, isUTF8: encoding.contains("utf8"))
  }

  /// The text in the characters of the terminal, with the same width. If the
  /// terminal is limited to ASCII, the signs of this module have substitutes,
  /// and other characters become `?`.
  func encoded(_ text: String) -> String {
    if isUTF8 || text.utf8.allSatisfy({ $0 < 0x80 }) { return text }
    return text.map { character in
      if character.isASCII { return String(character) }
      return Self.substitutes[character]
        ?? String(repeating: "?", count: TextWidth.of(String(character)))
    }.joined()
  }

  private static let substitutes: [Character: String] = [
    "↑": "^", "↓": "v", "…": ".", "·": "-", "✓": "x", "“": "\"", "”": "\"", "−": "-", "→": ">",
    "│": "|", "─": "-", "•": "*", "←": "<", "█": "#",
  ]
}
