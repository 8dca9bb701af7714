import Foundation
import TerminalScreen

/// Full-screen use of the terminal: its alternate screen, and every key for the
/// program. Closing the session restores the contents and the settings of the
/// terminal.
///
/// A session is used by one task.
public final class ScreenSession {
  private var original = termios()
  private var isOpen = false
  private var writer: FrameWriter
  private let usesMouse: Bool

  /// Alternate screen, no automatic line breaks, bracketed paste.
  private static let startSequence = "\u{1B}[?1049h\u{1B}[?7l\u{1B}[?2004h"
  /// Reports of buttons and of the wheel, with decimal positions.
  private static let mouseSequence = "\u{1B}[?1000h\u{1B}[?1006h"
  /// Switches the terminal back.
  static let endSequence: StaticString =
    "\u{1B}[0m\u{1B}[?1006l\u{1B}[?1000l\u{1B}[?2004l\u{1B}[?7h\u{1B}[?25h\u{1B}[?1049l"

  /// Creates a session; ``open()`` switches the terminal to it.
  ///
  /// - Parameter usesMouse: Whether the terminal reports the mouse to the
  ///   program.
  /// - Throws: ``Failure`` if the process has no terminal.
  public init(_ traits: TerminalTraits, usesMouse: Bool = true) throws {
    self.usesMouse = usesMouse
    writer = FrameWriter(traits)
    guard tcgetattr(STDIN_FILENO, &original) == 0 else {
      throw Failure(
        .inputOutput, "the terminal cannot be set up", advice: "Use `watch --plain`.")
    }
  }

  deinit { close() }

  /// Switches the terminal to the session, for the first time or after another
  /// program has used the terminal.
  ///
  /// - Returns: False if the process is in the background or the terminal was
  ///   closed.
  public func open() throws -> Bool {
    guard isInForeground else { return false }
    var raw = original
    // Deliver each key immediately, including the keys that send signals.
    raw.c_lflag &= ~tcflag_t(ICANON | ECHO | ISIG | IEXTEN)
    raw.c_iflag &= ~tcflag_t(IXON | ICRNL)
    tcsetattr(STDIN_FILENO, TCSADRAIN, &raw)
    isOpen = true
    writer.invalidate()
    CrashHandler.install(restoring: original)
    try Output.control(Self.startSequence + (usesMouse ? Self.mouseSequence : "") + "\u{1B}[2J")
    return true
  }

  /// Shows a frame, if the process is in the foreground.
  public func draw(_ frame: Frame, width: Int) throws {
    guard isOpen, isInForeground else { return }
    let sequence = writer.sequence(for: frame, width: width)
    if !sequence.isEmpty { try Output.control(sequence) }
  }

  /// Makes the next frame draw all lines.
  public func invalidate() { writer.invalidate() }

  /// Restores the terminal and stops the process until its shell continues it.
  /// The caller must then ``open()`` the session again.
  public func suspend() throws {
    // Without a shell, no process could continue this one.
    guard getsid(getppid()) == getsid(0) else { return }
    close()
    stop()
  }

  /// Stops the process if it is in the background, as the kernel does with a
  /// background process that reads from the terminal. Once it continues, the
  /// caller must ``open()`` the session again.
  public func stopInBackground() {
    // A closed terminal has no foreground process group. The kernel continues
    // its processes so that they can end.
    if tcgetpgrp(STDIN_FILENO) >= 0, !isInForeground { stop() }
  }

  /// Restores the terminal.
  public func close() {
    guard isOpen else { return }
    isOpen = false
    CrashHandler.remove()
    try? Output.control("\(Self.endSequence)")
    // In the background, the shell has restored the settings already, and
    // setting them would stop this process.
    if isInForeground { tcsetattr(STDIN_FILENO, TCSADRAIN, &original) }
  }

  /// Whether the terminal accepts settings from the process and sends it keys.
  private var isInForeground: Bool { tcgetpgrp(STDIN_FILENO) == getpgrp() }

  /// Stops all processes of the job. `SIGTSTP` would not do: threads of the
  /// process may have blocked it.
  private func stop() { kill(0, SIGSTOP) }
}
