import TextTables

/// A line of a terminal: pieces of text, each in a style.
///
/// Characters that would steer a terminal are escapes, whatever the text came
/// from.
public struct StyledLine: Hashable, Sendable {
  /// A piece of text in one style.
  public struct Piece: Hashable, Sendable {
    /// The text, with escapes for characters that would steer a terminal.
    public let text: String
    /// How it looks.
    public var style: Style
  }

  /// The pieces, none of them empty.
  public private(set) var pieces: [Piece] = []
  /// How many columns they take up.
  public private(set) var width = 0

  /// Makes a line of one text.
  public init(_ text: String = "", _ style: Style = .plain) { append(text, style) }

  /// The text without its styles.
  public var text: String { pieces.map(\.text).joined() }

  /// Adds a piece at the end.
  public mutating func append(_ text: String, _ style: Style = .plain) {
    let text = VisibleText.escaped(text)
    guard !text.isEmpty else { return }
    pieces.append(Piece(text: text, style: style))
    width += TextWidth.of(text)
  }

  /// Adds the pieces of another line.
  public mutating func append(_ line: StyledLine) {
    pieces += line.pieces
    width += line.width
  }

  /// Fills the line up with spaces.
  public mutating func fill(to width: Int, _ style: Style = .plain) {
    append(String(repeating: " ", count: max(0, width - self.width)), style)
  }

  /// The line cut to a number of columns, with `…` at its end where something is
  /// missing.
  public func cut(to width: Int) -> StyledLine {
    guard self.width > width else { return self }
    var line = StyledLine()
    for piece in pieces {
      let rest = width - line.width
      if TextWidth.of(piece.text) >= rest {
        line.append(TextWidth.cut(piece.text + "…", to: rest), piece.style)
        break
      }
      line.append(piece.text, piece.style)
    }
    return line
  }

  /// The line with each style changed.
  public func styled(_ change: (inout Style) -> Void) -> StyledLine {
    var line = self
    for index in line.pieces.indices { change(&line.pieces[index].style) }
    return line
  }
}
