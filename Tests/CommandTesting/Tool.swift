import Foundation

/// A built command in the folder of the test program.
public struct Tool: Sendable {
  /// The result of a run.
  public struct Result: Sendable {
    /// The exit status.
    public var status: Int32
    /// The standard output.
    public var output: String
    /// The standard error.
    public var errors: String
  }

  /// The name of the command.
  public let name: String

  /// Creates a tool for a command.
  public init(_ name: String) { self.name = name }

  /// The location of the command.
  public var url: URL {
    #if os(macOS)
      let bundle = Bundle.allBundles.first { $0.bundlePath.hasSuffix(".xctest") } ?? .main
      let folder = bundle.bundleURL.deletingLastPathComponent()
    #else
      let folder = URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent()
    #endif
    return folder.appending(path: name)
  }

  /// Runs the command in a folder and waits for its end.
  ///
  /// - Parameter prefix: A command that runs the tool, such as `setpriv`.
  public func run(
    _ arguments: [String], in folder: TemporaryFolder, input: Data = Data(), prefix: [String] = []
  ) async throws -> Result {
    let id = UUID().uuidString
    let paths = try ["in", "out", "err"].map {
      try folder.file("\(id).\($0)", $0 == "in" ? input : Data())
    }
    let process = process(prefix + [url.path] + arguments, in: folder)
    let files = [
      FileHandle(forReadingAtPath: paths[0]), FileHandle(forWritingAtPath: paths[1]),
      FileHandle(forWritingAtPath: paths[2]),
    ]
    // Foundation does not release processes that have ended, and cannot await
    // others while more than 1,024 files are open.
    defer { for file in files { try? file?.close() } }
    process.standardInput = files[0]
    process.standardOutput = files[1]
    process.standardError = files[2]
    try await process.runToEnd()
    let texts = try paths.map { try String(contentsOfFile: $0, encoding: .utf8) }
    return Result(status: process.terminationStatus, output: texts[1], errors: texts[2])
  }

  /// A process for a command and its arguments.
  public func process(_ words: [String], in folder: TemporaryFolder) -> Process {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = words
    process.currentDirectoryURL = folder.url
    process.environment = Self.environment(in: folder)
    return process
  }

  /// The environment of a command that stores its data in a folder.
  static func environment(in folder: TemporaryFolder) -> [String: String] {
    var environment = ProcessInfo.processInfo.environment
    environment["HOME"] = folder.url.path
    environment["XDG_DATA_HOME"] = folder.path("data")
    environment["XDG_CONFIG_HOME"] = folder.path("configuration")
    environment["TZ"] = "UTC"
    return environment
  }
}

extension Process {
  /// Starts the process and waits for its end without blocking a thread.
  public func runToEnd() async throws {
    try await withCheckedThrowingContinuation { (done: CheckedContinuation<Void, any Error>) in
      terminationHandler = { _ in done.resume() }
      do { try run() } catch { done.resume(throwing: error) }
    }
  }
}
