import Foundation

/// A child process that runs to completion.
struct ChildProcess {
  let process = Process()

  /// A program that is found through `PATH`.
  init(_ words: [String], in folder: URL? = nil) {
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments = words
    process.currentDirectoryURL = folder
  }

  /// This program, with different arguments.
  init(arguments: [String]) {
    process.executableURL = Bundle.main.executableURL
    process.arguments = arguments
  }

  /// Runs the process to completion and discards its output.
  ///
  /// - Returns: Whether the process exited with status 0.
  func succeeds() throws -> Bool {
    process.standardOutput = FileHandle.nullDevice
    try process.run()
    process.waitUntilExit()
    return process.terminationStatus == 0
  }

  /// Runs the process to completion and returns its standard output without
  /// surrounding whitespace. `nil` if it exits with another status than 0.
  func output() throws -> String? {
    let pipe = Pipe()
    process.standardOutput = pipe
    try process.run()
    let text = try pipe.fileHandleForReading.readToEnd() ?? Data()
    process.waitUntilExit()
    guard process.terminationStatus == 0 else { return nil }
    return String(decoding: text, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
  }
}
