import Foundation
import TerminalScreen

/// The terminal's other screen, with every key for the program: what was on the
/// terminal is there again once it is closed, and so is how it took keys.
///
/// One task uses it.
public final class ScreenSession {
  private var original = termios()
  private var isOpen = false
  private var writer: FrameWriter

  /// Begins a session; ``open()`` makes the terminal show it.
  ///
  /// - Throws: ``Failure`` where the process has no terminal.
  public init(_ traits: TerminalTraits) throws {
    writer = FrameWriter(traits)
    guard tcgetattr(STDIN_FILENO, &original) == 0 else {
      throw Failure(
        .inputOutput, "the terminal cannot be set up", advice: "Use `watch --plain`.")
    }
  }

  deinit { close() }

  /// Takes the terminal, also after it was another program's for a while.
  ///
  /// - Returns: Whether it could be had: not by a process in the background, and
  ///   not where it is gone.
  public func open() throws -> Bool {
    guard isInForeground else { return false }
    var raw = original
    // The program is to see each key at once, those for signals too.
    raw.c_lflag &= ~tcflag_t(ICANON | ECHO | ISIG | IEXTEN)
    raw.c_iflag &= ~tcflag_t(IXON | ICRNL)
    tcsetattr(STDIN_FILENO, TCSADRAIN, &raw)
    isOpen = true
    writer.forget()
    // The other screen, no line breaks at the right edge, marks around what is
    // pasted.
    try Output.control("\u{1B}[?1049h\u{1B}[?7l\u{1B}[?2004h\u{1B}[2J")
    return true
  }

  /// Makes the terminal show a frame, if it is this program's now.
  public func draw(_ frame: Frame, width: Int) throws {
    guard isOpen, isInForeground else { return }
    let sequence = writer.sequence(for: frame, width: width)
    if !sequence.isEmpty { try Output.control(sequence) }
  }

  /// Makes the next frame be drawn as a whole.
  public func forget() { writer.forget() }

  /// Gives the terminal back and stops the process, until its shell continues
  /// it. It is to ``open()`` the session then.
  public func suspend() throws {
    // Without a shell nobody could continue it.
    guard getsid(getppid()) == getsid(0) else { return }
    close()
    stop()
  }

  /// Stops a process in the background, as any is stopped that reads from the
  /// terminal. Once it goes on it has to ``open()`` the session.
  public func stopInBackground() {
    // A terminal that is gone has no foreground. It continues its processes, so
    // that they end.
    if tcgetpgrp(STDIN_FILENO) >= 0, !isInForeground { stop() }
  }

  /// Gives the terminal back.
  public func close() {
    guard isOpen else { return }
    isOpen = false
    try? Output.control("\u{1B}[0m\u{1B}[?2004l\u{1B}[?7h\u{1B}[?25h\u{1B}[?1049l")
    // In the background it is its shell's already, and would stop the process.
    if isInForeground { tcsetattr(STDIN_FILENO, TCSADRAIN, &original) }
  }

  /// Whether the terminal takes what the process sets, and sends it keys.
  private var isInForeground: Bool { tcgetpgrp(STDIN_FILENO) == getpgrp() }

  /// Stops all processes of the shell's job. Not by `SIGTSTP`, which threads of
  /// the process may have blocked.
  private func stop() { kill(0, SIGSTOP) }
}
