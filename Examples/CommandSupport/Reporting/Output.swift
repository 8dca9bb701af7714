import Foundation

/// Writes to the standard streams: data to one, all else to the other.
public enum Output {
  /// Writes lines to standard output at once, unbuffered, so that a reader at
  /// the other end of a pipe has them.
  public static func print(_ lines: [String]) throws {
    try write(Data(lines.map { $0 + "\n" }.joined().utf8))
  }

  /// Writes bytes to standard output.
  public static func write(_ data: Data) throws {
    do {
      try FileHandle.standardOutput.write(contentsOf: data)
    } catch {
      throw Failure(
        .inputOutput, "cannot write to standard output: \(error.localizedDescription)",
        advice: "Check the disk, or the program that reads the output.")
    }
  }

  /// Writes text and a line end to standard error.
  public static func note(_ text: String) { noteRaw(text + "\n") }

  /// Writes text to standard error. Where that is closed there is nobody to
  /// tell.
  public static func noteRaw(_ text: String) {
    try? FileHandle.standardError.write(contentsOf: Data(text.utf8))
  }
}
