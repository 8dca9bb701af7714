import Foundation

/// The terminal's other screen, without echo: what was on the terminal is there
/// again once it is closed.
public final class Screen {
  private var original = termios()
  private var isOpen = true

  /// Opens the screen.
  public init() throws {
    guard tcgetattr(STDIN_FILENO, &original) == 0 else {
      throw Failure(
        .inputOutput, "the terminal cannot be set up", advice: "Use `watch --plain`.")
    }
    var silent = original
    // Signals still come from the keys that mean them, but for stopping: a
    // stopped process would leave the terminal as it is.
    silent.c_lflag &= ~tcflag_t(ICANON | ECHO)
    withUnsafeMutableBytes(of: &silent.c_cc) { $0[Int(VSUSP)] = 0 }
    tcsetattr(STDIN_FILENO, TCSAFLUSH, &silent)
    try Output.write(Data("\u{1B}[?1049h\u{1B}[?25l\u{1B}[2J".utf8))
  }

  deinit { close() }

  /// Draws lines over what is there, the last one in reverse video.
  ///
  /// - Parameter lines: Makes the lines for a width and a height.
  public func draw(_ lines: (Int, Int) -> [String]) throws {
    let (width, height) = Terminal.size ?? (80, 24)
    var text = "\u{1B}[H"
    let lines = lines(width, height)
    for (number, line) in lines.enumerated() {
      let isLast = number == lines.count - 1
      text += isLast ? "\u{1B}[7m\(line)\u{1B}[0m\u{1B}[K\u{1B}[J" : "\(line)\u{1B}[K\r\n"
    }
    try Output.write(Data(text.utf8))
  }

  /// Gives the terminal back.
  public func close() {
    guard isOpen else { return }
    isOpen = false
    try? Output.write(Data("\u{1B}[?25h\u{1B}[?1049l".utf8))
    tcsetattr(STDIN_FILENO, TCSAFLUSH, &original)
  }
}
