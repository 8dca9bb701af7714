import Foundation
import TerminalScreen

/// The terminal in which the process runs.
public enum Terminal {
  /// Whether standard output is a terminal.
  public static var isOutput: Bool { isatty(STDOUT_FILENO) == 1 }

  /// Whether standard error is a terminal.
  public static var isError: Bool { isatty(STDERR_FILENO) == 1 }

  /// Whether standard input is a terminal.
  public static var isInput: Bool { isatty(STDIN_FILENO) == 1 }

  /// The capabilities of the terminal.
  public static var traits: TerminalTraits {
    TerminalTraits(environment: ProcessInfo.processInfo.environment)
  }

  /// Its columns and lines, or nil if standard output is not a terminal.
  public static var size: (width: Int, height: Int)? {
    var size = winsize()
    guard isOutput, ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else {
      return nil
    }
    return (Int(size.ws_col), Int(size.ws_row))
  }
}
