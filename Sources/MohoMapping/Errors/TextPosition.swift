/// A place in a text.
public struct TextPosition: Hashable, Sendable, CustomStringConvertible {
  /// The line, from 1. Lines end with a line feed.
  public var line: Int
  /// The column, from 1, in characters (grapheme clusters).
  public var column: Int
  /// The number of bytes before the place.
  public var offset: Int

  /// Makes a position.
  public init(line: Int, column: Int, offset: Int) {
    self.line = line
    self.column = column
    self.offset = offset
  }

  /// Line and column, as in `41:17`.
  public var description: String { "\(line):\(column)" }
}
