/// Turns what a terminal shows into the next frame, writing only the lines that
/// differ.
public struct FrameWriter: Sendable {
  private let traits: TerminalTraits
  private var shown: Frame?

  /// Makes a writer for a terminal of which it is not known what it shows.
  public init(_ traits: TerminalTraits) { self.traits = traits }

  /// Forgets what the terminal shows: somebody else has written to it, or it has
  /// another size.
  public mutating func forget() { shown = nil }

  /// The sequence after which the terminal shows a frame.
  ///
  /// - Parameter width: How many columns the terminal has.
  public mutating func sequence(for frame: Frame, width: Int) -> String {
    guard frame != shown else { return "" }
    // Without a cursor that runs over the screen.
    var sequence = shown?.cursor == nil && shown != nil ? "" : "\u{1B}[?25l"
    var old = shown?.lines ?? []
    if old.count != frame.lines.count {
      sequence += "\u{1B}[0m\u{1B}[2J"
      old = Array(repeating: StyledLine(), count: frame.lines.count)
    }
    for (number, line) in frame.lines.enumerated() where line != old[number] {
      let line = line.cut(to: width)
      sequence += "\u{1B}[\(number + 1);1H" + self.sequence(for: line)
      // Where the line is full the cursor stands on its last character.
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
      sequence += traits.shown(piece.text)
    }
    return style == .plain ? sequence : sequence + Style.plain.sequence(hasColor: false)
  }
}
