/// Updates a terminal from one frame to the next by writing only the lines that
/// differ.
public struct FrameWriter: Sendable {
  private let traits: TerminalTraits
  private var shown: Frame?

  /// Creates a writer for a terminal with unknown contents.
  public init(_ traits: TerminalTraits) { self.traits = traits }

  /// Makes the next frame write all lines. Call this after another program has
  /// written to the terminal, or after its size has changed.
  public mutating func invalidate() { shown = nil }

  /// The control sequence that makes the terminal show a frame.
  ///
  /// - Parameter width: The number of columns of the terminal.
  public mutating func sequence(for frame: Frame, width: Int) -> String {
    guard frame != shown else { return "" }
    // Hide the cursor while lines are written.
    var sequence = shown?.cursor == nil && shown != nil ? "" : "\u{1B}[?25l"
    var old = shown?.lines ?? []
    if old.count != frame.lines.count {
      sequence += "\u{1B}[0m\u{1B}[2J"
      old = Array(repeating: StyledLine(), count: frame.lines.count)
    }
    for (number, line) in frame.lines.enumerated() where line != old[number] {
      let line = line.cut(to: width)
      sequence += "\u{1B}[\(number + 1);1H" + self.sequence(for: line)
      // After a full line, the cursor is on its last character.
      if line.width < width { sequence += "\u{1B}[K" }
    }
    if let cursor = frame.cursor {
      sequence += "\u{1B}[\(cursor.line + 1);\(cursor.column + 1)H\u{1B}[?25h"
    }
    shown = frame
    return sequence
  }

  private func sequence(for line: StyledLine) -> String {
    var style = Style.plain
    var sequence = ""
    for piece in line.pieces {
      if piece.style != style { sequence += piece.style.sequence(hasColor: traits.hasColor) }
      style = piece.style
      sequence += traits.encoded(piece.text)
    }
    return style == .plain ? sequence : sequence + Style.plain.sequence(hasColor: false)
  }
}
