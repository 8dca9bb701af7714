import TextTables

/// What a terminal can show, as the environment of the process tells it.
public struct TerminalTraits: Hashable, Sendable {
  /// Whether text can be put anywhere on it.
  public var isAddressable: Bool
  /// Whether colors are wanted (<https://no-color.org>).
  public var hasColor: Bool
  /// Whether it shows more than ASCII.
  public var isUTF8: Bool

  /// Makes the traits of a terminal that can do it all, unless it is said
  /// otherwise.
  public init(isAddressable: Bool = true, hasColor: Bool = true, isUTF8: Bool = true) {
    self.isAddressable = isAddressable
    self.hasColor = hasColor
    self.isUTF8 = isUTF8
  }

  /// The traits by `TERM`, `NO_COLOR`, and the first of `LC_ALL`, `LC_CTYPE` and
  /// `LANG` that is set.
  public init(environment: [String: String]) {
    let terminal = environment["TERM"] ?? ""
    let locale = ["LC_ALL", "LC_CTYPE", "LANG"].compactMap { environment[$0] }
      .first { !$0.isEmpty }
    let encoding = (locale ?? "").lowercased().filter { $0 != "-" }
    self.init(
      isAddressable: !["", "dumb", "unknown"].contains(terminal),
      hasColor: environment["NO_COLOR", default: ""].isEmpty, isUTF8: encoding.contains("utf8"))
  }

  /// The text as far as the terminal shows it, of the same width: signs of this
  /// program's own have others in ASCII, all else is a `?`.
  func shown(_ text: String) -> String {
    if isUTF8 || text.utf8.allSatisfy({ $0 < 0x80 }) { return text }
    return text.map { character in
      if character.isASCII { return String(character) }
      return Self.substitutes[character]
        ?? String(repeating: "?", count: TextWidth.of(String(character)))
    }.joined()
  }

  private static let substitutes: [Character: String] = [
    "↑": "^", "↓": "v", "…": ".", "·": "-", "✓": "x", "“": "\"", "”": "\"", "−": "-", "→": ">",
  ]
}
