import Foundation
import TextTables

/// Writes to the standard streams: data to standard output, everything else to
/// standard error.
///
/// All programs write through this type. It escapes unsafe characters (see
/// `VisibleText`), so that data can neither control a terminal nor forge lines.
/// Redirected output is escaped too, since a terminal may show it later.
public enum Output {
  /// Writes lines to standard output without buffering, so that a pipe receives
  /// them immediately.
  public static func print(_ lines: [String]) throws {
    try write(lines.map { VisibleText.escaped($0) + "\n" }.joined())
  }

  /// Writes text without a line break to standard output.
  public static func prompt(_ text: String) throws { try write(VisibleText.escaped(text)) }

  /// Writes a JSON document to standard output.
  public static func print(_ document: JSONText) throws { try write(document.text) }

  /// Writes lines to standard error. Failures are ignored: no stream is left to
  /// report them to.
  public static func note(_ lines: String...) { note(lines) }

  /// Writes lines to standard error. Failures are ignored.
  public static func note(_ lines: [String]) {
    writeError(lines.map { VisibleText.escaped($0) + "\n" }.joined())
  }

  /// Writes a terminal control sequence to standard output.
  static func control(_ sequence: String) throws { try write(sequence) }

  /// Writes a terminal control sequence to standard error.
  static func controlError(_ sequence: String) { writeError(sequence) }

  static func write(_ text: String) throws {
    do {
      try FileHandle.standardOutput.write(contentsOf: Data(text.utf8))
    } catch {
      // The program that reads the output has ended, such as `head`. This usually
      // ends the process by SIGPIPE, unless its parent ignores the signal.
      if isClosedPipe { exit(128 + SIGPIPE) }
      throw Failure(
        .inputOutput, "cannot write to standard output: \(error.localizedDescription)",
        advice: "Check the disk, or the program that reads the output.")
    }
  }

  /// Whether standard output is a pipe without a reader. Foundation's errors do
  /// not have the code of the system on all platforms.
  private static var isClosedPipe: Bool {
    var file = stat()
    guard fstat(STDOUT_FILENO, &file) == 0, file.st_mode & S_IFMT == S_IFIFO else { return false }
    var state = pollfd(fd: STDOUT_FILENO, events: Int16(POLLOUT), revents: 0)
    return poll(&state, 1, 0) == 1 && state.revents & Int16(POLLERR | POLLHUP) != 0
  }

  private static func writeError(_ text: String) {
    try? FileHandle.standardError.write(contentsOf: Data(text.utf8))
  }
}

/// A JSON document that is safe to show: its unsafe characters are JSON
/// escapes, so that it still has the same values.
public struct JSONText: Sendable {
  /// The document, with a line feed at the end.
  public let text: String

  /// Escapes a document.
  ///
  /// - Parameter document: Valid JSON in UTF-8.
  public init(_ document: Data) {
    text = VisibleText.escapedJSON(String(decoding: document, as: UTF8.self)) + "\n"
  }
}
