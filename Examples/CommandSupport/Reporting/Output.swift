import Foundation
import TextTables

/// Writes to the standard streams: data to standard output, everything else to
/// standard error.
///
/// All programs write through this type. It escapes the characters of a line
/// that are not safe to show (see `VisibleText`), so that data cannot steer a
/// terminal or forge lines, whatever message quotes it. Redirected output is the
/// same: somebody looks at it later.
public enum Output {
  /// Writes lines to standard output, unbuffered, so that a reader at the other
  /// end of a pipe has them at once.
  public static func print(_ lines: [String]) throws {
    try write(lines.map { VisibleText.escaped($0) + "\n" }.joined())
  }

  /// Writes the beginning of a line to standard output.
  public static func prompt(_ text: String) throws { try write(VisibleText.escaped(text)) }

  /// Writes a JSON document to standard output.
  public static func print(_ document: JSONText) throws { try write(document.text) }

  /// Writes lines to standard error. Failures are ignored: there is no stream
  /// left to report them to.
  public static func note(_ lines: String...) { note(lines) }

  /// Writes lines to standard error. Failures are ignored.
  public static func note(_ lines: [String]) {
    writeError(lines.map { VisibleText.escaped($0) + "\n" }.joined())
  }

  /// Writes a sequence that steers the terminal to standard output.
  static func control(_ sequence: String) throws { try write(sequence) }

  /// Writes a sequence that steers the terminal to standard error.
  static func controlError(_ sequence: String) { writeError(sequence) }

  private static func write(_ text: String) throws {
    do {
      try FileHandle.standardOutput.write(contentsOf: Data(text.utf8))
    } catch {
      throw Failure(
        .inputOutput, "cannot write to standard output: \(error.localizedDescription)",
        advice: "Check the disk, or the program that reads the output.")
    }
  }

  private static func writeError(_ text: String) {
    try? FileHandle.standardError.write(contentsOf: Data(text.utf8))
  }
}
