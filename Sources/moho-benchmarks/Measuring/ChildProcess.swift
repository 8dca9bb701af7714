import Foundation

/// A run of a program that ends by itself.
struct ChildProcess {
  let process = Process()

  /// A program that is looked for where the shell would.
  init(_ words: [String], in folder: URL? = nil) {
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments = words
    process.currentDirectoryURL = folder
  }

  /// This program, with other arguments.
  init(arguments: [String]) {
    process.executableURL = Bundle.main.executableURL
    process.arguments = arguments
  }

  /// Runs it to its end, and lets go of what it prints.
  ///
  /// - Returns: Whether it succeeded.
  func succeeds() throws -> Bool {
    process.standardOutput = FileHandle.nullDevice
    try process.run()
    process.waitUntilExit()
    return process.terminationStatus == 0
  }

  /// What it prints, without blanks around; nil where it does not succeed.
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
