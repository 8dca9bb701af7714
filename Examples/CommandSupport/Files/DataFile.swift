import Foundation

/// A file that is named on the command line; `-` means standard input or
/// standard output.
public enum DataFile {
  /// The contents of a file, or of standard input.
  ///
  /// - Throws: ``Failure``.
  public static func read(_ path: String) throws -> Data {
    do {
      if path == "-" { return try FileHandle.standardInput.readToEnd() ?? Data() }
      return try Data(contentsOf: URL(fileURLWithPath: path))
    } catch {
      let reason = path == "-" ? error.localizedDescription : readingReason(path, error)
      throw Failure(
        .noInput, "\(name(path)): cannot be read: \(reason)",
        advice: "Check the path and the permissions of the file.")
    }
  }

  /// Writes a document to a file, or to standard output.
  ///
  /// - Throws: ``Failure``.
  public static func write(_ document: JSONText, to path: String) throws {
    if path == "-" { return try Output.print(document) }
    do {
      try Data(document.text.utf8).write(to: URL(fileURLWithPath: path), options: .atomic)
    } catch {
      throw Failure(
        .cannotCreate, "\(name(path)): cannot be written: \(writingReason(path, error))",
        advice: "Check that its folder exists and is writable.")
    }
  }

  /// The name of an input file in messages.
  public static func name(_ path: String) -> String {
    path == "-" ? "standard input" : "\(StoreLocation(path))"
  }

  // Foundation's messages repeat the path, and do not always have the reason.
  private static func readingReason(_ path: String, _ error: any Error) -> String {
    guard FileManager.default.fileExists(atPath: path) else { return "no such file" }
    if isFolder(path) { return "it is a folder" }
    return FileManager.default.isReadableFile(atPath: path)
      ? error.localizedDescription : "permission denied"
  }

  private static func writingReason(_ path: String, _ error: any Error) -> String {
    if isFolder(path) { return "it is a folder" }
    let folder = URL(fileURLWithPath: path).deletingLastPathComponent().path
    guard FileManager.default.fileExists(atPath: folder) else { return "its folder does not exist" }
    return FileManager.default.isWritableFile(atPath: folder)
      ? error.localizedDescription : "permission denied"
  }

  private static func isFolder(_ path: String) -> Bool {
    var isFolder: ObjCBool = false
    return FileManager.default.fileExists(atPath: path, isDirectory: &isFolder)
      && isFolder.boolValue
  }
}
