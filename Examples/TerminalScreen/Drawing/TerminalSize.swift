/// How much fits on a terminal.
public struct TerminalSize: Hashable, Sendable {
  /// The columns of a line.
  public var width: Int
  /// The lines.
  public var height: Int

  /// Makes a size, of at least one column and one line.
  public init(width: Int, height: Int) {
    self.width = max(1, width)
    self.height = max(1, height)
  }
}
