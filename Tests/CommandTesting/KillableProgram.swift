import Foundation

/// The program to kill, which is built next to the tests.
public final class KillableProgram: Sendable {
  private let process: ChildProcess
  private let output: FileHandle
  private let outputPath: String

  /// Starts the program. It writes its output to a file, so that the output is
  /// available after a kill.
  ///
  /// - Parameters:
  ///   - arguments: The arguments. The store is inserted after the first one.
  ///   - store: The path or the URL of the store.
  ///   - path: The start of the path of the output, or nil for the store's path.
  public init(_ arguments: [String], store: String, outputPath path: String? = nil) throws {
    outputPath = (path ?? store) + ".\(UUID().uuidString).out"
    _ = FileManager.default.createFile(atPath: outputPath, contents: nil)
    guard let output = FileHandle(forWritingAtPath: outputPath) else {
      throw CocoaError(.fileNoSuchFile)
    }
    self.output = output
    process = try ChildProcess(
      Tool("StoreCrasher").url.path, [arguments[0], store] + arguments.dropFirst(), output: output)
  }

  /// Waits until the program ends.
  ///
  /// - Returns: The lines that the program has written, and its exit status.
  public func lines() throws -> (lines: [String], status: Int32) {
    let status = try process.wait()
    let text = try String(contentsOfFile: outputPath, encoding: .utf8)
    try? output.close()
    try? FileManager.default.removeItem(atPath: outputPath)
    return (text.split(separator: "\n").map(String.init), status)
  }

  /// Kills the program a given time after it has written its first output.
  public func kill(after seconds: TimeInterval) {
    while process.isRunning, (try? output.offset()) == 0 { usleep(200) }
    usleep(UInt32(seconds * 1e6))
    process.kill()
  }
}
