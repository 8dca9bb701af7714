import TextTables

extension Key {
  /// The name of the key, such as `q`, `Space`, `Ctrl-R` or `PageUp`; nil for
  /// pasted text, the mouse, and characters that are not visible.
  public var name: String? {
    if let named = Self.named.first(where: { $0.key == self }) { return named.name }
    return switch self {
    case .character(let character): Self.isVisible(character) ? String(character) : nil
    case .control(let letter): "Ctrl-\(letter.uppercased())"
    case .alternate(let character): Self.isVisible(character) ? "Alt-\(character)" : nil
    default: nil
    }
  }

  /// Creates the key with a name. Case matters only for a single character and for the character after `Alt-`.
  ///
  /// Nil for other text, and for keys that a terminal does not distinguish from
  /// others: it sends Ctrl-I as Tab.
  public init?(name: String) {
    let lowercased = name.lowercased()
    let aliases = Self.named.map { ($0.name, $0.key) } + Self.aliases
    if let (_, key) = aliases.first(where: { $0.0.lowercased() == lowercased }) {
      self = key
    } else if name.count == 1, let character = name.first, Self.isVisible(character) {
      self = .character(character)
    } else if lowercased.hasPrefix("ctrl-"), lowercased.count == 6, let letter = lowercased.last,
      ("a"..."z").contains(letter), !"hijm".contains(letter)
    {
      self = .control(letter)
    } else if lowercased.hasPrefix("alt-"), name.count == 5, let character = name.last,
      character.isASCII, Self.isVisible(character), !"[O".contains(character)
    {
      self = .alternate(character)
    } else {
      return nil
    }
  }

  private static let named: [(key: Key, name: String)] = [
    (.character(" "), "Space"), (.character("#"), "Hash"), (.enter, "Enter"), (.tab, "Tab"),
    (.backTab, "Shift-Tab"), (.backspace, "Backspace"), (.delete, "Delete"), (.escape, "Esc"),
    (.up, "Up"), (.down, "Down"), (.left, "Left"), (.right, "Right"), (.home, "Home"),
    (.end, "End"), (.pageUp, "PageUp"), (.pageDown, "PageDown"),
  ]

  private static let aliases: [(String, Key)] = [
    ("Return", .enter), ("Escape", .escape), ("Del", .delete), ("PgUp", .pageUp),
    ("PgDn", .pageDown), ("BackTab", .backTab),
  ]

  private static func isVisible(_ character: Character) -> Bool {
    let text = String(character)
    return !VisibleText.isBlank(text) && VisibleText.escaped(text) == text
  }
}
