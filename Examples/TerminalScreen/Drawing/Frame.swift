/// The contents of a terminal.
public struct Frame: Hashable, Sendable {
  /// A position on a terminal.
  public struct Position: Hashable, Sendable {
    /// The line from the top, from 0.
    public var line: Int
    /// The column from the left, from 0.
    public var column: Int

    /// Creates a position.
    public init(line: Int, column: Int) {
      self.line = line
      self.column = column
    }
  }

  /// The lines, as many as the terminal has.
  public var lines: [StyledLine]
  /// The position of the cursor; nil if the cursor is hidden.
  public var cursor: Position?

  /// Creates a frame.
  public init(lines: [StyledLine], cursor: Position? = nil) {
    self.lines = lines
    self.cursor = cursor
  }
}

/// The size of a terminal.
public struct TerminalSize: Hashable, Sendable {
  /// The number of columns.
  public var width: Int
  /// The number of lines.
  public var height: Int

  /// Creates a size of at least one column and one line.
  public init(width: Int, height: Int) {
    self.width = max(1, width)
    self.height = max(1, height)
  }
}
