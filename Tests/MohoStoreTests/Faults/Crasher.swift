import CommandTesting
import Foundation

/// The program that is killed, which lies beside the tests.
final class Crasher: Sendable {
  private let process: ChildProcess
  private let output: FileHandle
  private let outputPath: String

  /// Starts the program. Its output goes to a file beside the store: what it has
  /// written is there when it is killed.
  init(_ arguments: [String], store: String) throws {
    outputPath = store + ".\(UUID().uuidString).out"
    _ = FileManager.default.createFile(atPath: outputPath, contents: nil)
    guard let output = FileHandle(forWritingAtPath: outputPath) else {
      throw CocoaError(.fileNoSuchFile)
    }
    self.output = output
    process = try ChildProcess(
      Tool("StoreCrasher").url.path, [arguments[0], store] + arguments.dropFirst(), output: output)
  }

  /// Waits for its end.
  ///
  /// - Returns: The lines that it has written, and its status.
  func lines() throws -> (lines: [String], status: Int32) {
    let status = try process.wait()
    let text = try String(contentsOfFile: outputPath, encoding: .utf8)
    try? output.close()
    try? FileManager.default.removeItem(atPath: outputPath)
    return (text.split(separator: "\n").map(String.init), status)
  }

  /// Kills it, at once, after a time and after its first line.
  func kill(after seconds: TimeInterval) {
    while process.isRunning, (try? output.offset()) == 0 { usleep(200) }
    usleep(UInt32(seconds * 1e6))
    process.kill()
  }
}
