import Foundation

/// Files that command lines read.
public enum InputFile {
  /// The bytes of a file, or of standard input where it is named `-`.
  ///
  /// - Throws: ``Failure``.
  public static func read(_ path: String) throws -> Data {
    do {
      if path == "-" { return try FileHandle.standardInput.readToEnd() ?? Data() }
      return try Data(contentsOf: URL(fileURLWithPath: path))
    } catch {
      let reason =
        path == "-" ? error.localizedDescription : FileReason.reading(path, error)
      throw Failure(
        .noInput, "\(name(path)): cannot be read: \(reason)",
        advice: "Check the path and the permissions of the file.")
    }
  }

  /// How messages name a file.
  public static func name(_ path: String) -> String { path == "-" ? "standard input" : path }
}
