/// A pressed key, pasted text, or an action of the mouse.
public enum Key: Hashable, Sendable {
  /// A key for a character.
  case character(Character)
  /// Ctrl with a letter; the letter is lowercase.
  case control(Character)
  /// Alt with a character, or Esc immediately before the character.
  case alternate(Character)
  /// Text from the clipboard.
  case paste(String)
  /// An action of the mouse.
  case mouse(MouseEvent)
  /// Editing keys.
  case enter, tab, backTab, backspace, delete, escape
  /// Navigation keys.
  case up, down, left, right, home, end, pageUp, pageDown
}
