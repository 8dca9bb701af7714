/// All that a terminal shows.
public struct Frame: Hashable, Sendable {
  /// A place on a terminal, from 0.
  public struct Place: Hashable, Sendable {
    /// The line, from the top.
    public var line: Int
    /// The column, from the left.
    public var column: Int

    /// Makes a place.
    public init(line: Int, column: Int) {
      self.line = line
      self.column = column
    }
  }

  /// The lines, as many as the terminal has.
  public var lines: [StyledLine]
  /// Where the cursor is, or nil where there is none to see.
  public var cursor: Place?

  /// Makes a frame.
  public init(lines: [StyledLine], cursor: Place? = nil) {
    self.lines = lines
    self.cursor = cursor
  }
}
