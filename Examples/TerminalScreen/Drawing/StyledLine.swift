import TextTables

/// A line of a terminal: pieces of text, each in a style. Unsafe characters are
/// escaped; see `VisibleText`.
public struct StyledLine: Hashable, Sendable {
  /// A piece of text in one style.
  public struct Piece: Hashable, Sendable {
    /// The text, with escapes for unsafe characters.
    public let text: String
    /// The style of the text.
    public var style: Style
  }

  /// The pieces. They are not empty.
  public private(set) var pieces: [Piece] = []
  /// The number of columns.
  public private(set) var width = 0

  /// Creates a line with one piece.
  public init(_ text: String = "", _ style: Style = .plain) { append(text, style) }

  /// The text without its styles.
  public var text: String { pieces.map(\.text).joined() }

  /// Appends a piece.
  public mutating func append(_ text: String, _ style: Style = .plain) {
    let text = VisibleText.escaped(text)
    guard !text.isEmpty else { return }
    pieces.append(Piece(text: text, style: style))
    width += TextWidth.of(text)
  }

  /// Appends the pieces of another line.
  public mutating func append(_ line: StyledLine) {
    pieces += line.pieces
    width += line.width
  }

  /// Fills the line with spaces up to a width.
  public mutating func fill(to width: Int, _ style: Style = .plain) {
    append(String(repeating: " ", count: max(0, width - self.width)), style)
  }

  /// The line, truncated with `…` if it has more columns than `width`.
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

  /// The line with changed styles.
  public func styled(_ change: (inout Style) -> Void) -> StyledLine {
    var line = self
    for index in line.pieces.indices { change(&line.pieces[index].style) }
    return line
  }
}
