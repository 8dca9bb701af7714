/// An action of the mouse at a position of the terminal.
public struct MouseEvent: Hashable, Sendable {
  /// The kinds of actions.
  public enum Kind: Hashable, Sendable {
    /// The left button was pressed.
    case press
    /// The wheel was turned.
    case wheelUp, wheelDown
  }

  /// The kind of action.
  public var kind: Kind
  /// The position of the pointer. It may be outside the terminal if the size
  /// has changed since.
  public var position: Frame.Position

  /// Creates an event.
  public init(_ kind: Kind, line: Int, column: Int) {
    self.kind = kind
    position = Frame.Position(line: line, column: column)
  }

  /// Creates the event of an SGR report (mode 1006): `ESC [ <`, the parameters,
  /// and `M` or `m`.
  ///
  /// Nil for other buttons, for motion, and for releases.
  init?(_ parameters: some Sequence<UInt8>, final: UInt8) {
    let numbers = String(decoding: Array(parameters), as: UTF8.self)
      .split(separator: ";", omittingEmptySubsequences: false).map { Int($0) }
    guard final == UInt8(ascii: "M"), numbers.count == 3, let button = numbers[0],
      let column = numbers[1], let line = numbers[2], (1...0xFFFF).contains(column),
      (1...0xFFFF).contains(line)
    else { return nil }
    self.init(button: button, line: line - 1, column: column - 1)
  }

  /// - Parameter button: The number of the button and its flags.
  init?(button: Int, line: Int, column: Int) {
    // Shift, Alt and Ctrl are ignored.
    let kind: Kind? =
      switch button & ~0b1_1100 {
      case 0: .press
      case 64: .wheelUp
      case 65: .wheelDown
      default: nil
      }
    guard let kind else { return nil }
    self.init(kind, line: line, column: column)
  }
}
