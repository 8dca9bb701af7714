import Foundation

/// Restores the terminal if the process crashes while it fills the screen.
enum CrashHandler {
  private static let signals = [SIGABRT, SIGBUS, SIGFPE, SIGILL, SIGSEGV, SIGTRAP]

  // SAFETY: The settings are written before the handlers that read them are
  // installed. A terminal has one session at a time.
  nonisolated(unsafe) private static var settings = termios()

  /// Makes crashes restore the terminal to these settings.
  static func install(restoring original: termios) {
    settings = original
    // Initialize the constant outside of the handler.
    _ = ScreenSession.endSequence
    for number in signals { signal(number, restore) }
  }

  /// Makes crashes have their default action.
  static func remove() {
    for number in signals { signal(number, SIG_DFL) }
  }

  /// Restores the terminal, and ends the process by the same signal. Calls only
  /// functions that are safe in a signal handler.
  private static let restore: @convention(c) (Int32) -> Void = { number in
    // A process in the background must not stop here.
    signal(SIGTTOU, SIG_IGN)
    // SAFETY: The bytes of a static string are never released.
    _ = write(
      STDOUT_FILENO, ScreenSession.endSequence.utf8Start,
      ScreenSession.endSequence.utf8CodeUnitCount)
    tcsetattr(STDIN_FILENO, TCSANOW, &settings)
    signal(number, SIG_DFL)
    raise(number)
  }
}
