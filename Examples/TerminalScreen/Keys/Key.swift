/// What somebody pressed.
public enum Key: Hashable, Sendable {
  /// A key that writes a character.
  case character(Character)
  /// A letter, in lower case, with Ctrl.
  case control(Character)
  /// A character with Alt, or after Esc within a moment.
  case alternate(Character)
  /// Text from the clipboard, which is no pressing of keys.
  case paste(String)
  /// Other keys, by what is written on them.
  case enter, tab, backTab, backspace, delete, escape
  /// Keys that move something.
  case up, down, left, right, home, end, pageUp, pageDown
}
