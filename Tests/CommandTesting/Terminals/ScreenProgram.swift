import Dispatch
import Foundation

/// A command that runs in a terminal, and its screen.
public final class ScreenProgram {
  /// The expected text was not shown.
  public struct NotShown: Error, CustomStringConvertible {
    /// The expected text and the contents of the screen.
    public let description: String
  }

  /// The terminal.
  public let terminal: PseudoTerminal
  /// The contents of the screen. Waiting updates them.
  public private(set) var screen: VirtualScreen
  private let process: pid_t
  private let end: AsyncStream<Int32>
  private var ended = false

  /// Runs a program in a terminal.
  ///
  /// - Parameters:
  ///   - words: The path of the program, and its arguments.
  ///   - environment: Variables to set in addition to those of ``Tool``. Empty
  ///     values remove variables.
  public init(
    _ words: [String], in folder: TemporaryFolder, width: Int = 60, height: Int = 12,
    environment: [String: String] = [:]
  ) throws {
    terminal = try PseudoTerminal(width: width, height: height)
    screen = VirtualScreen(width: width, height: height)
    var variables = Tool.environment(in: folder)
    variables["TERM"] = "xterm"
    variables["LC_ALL"] = "C.UTF-8"
    variables["NO_COLOR"] = nil
    for (name, value) in environment { variables[name] = value.isEmpty ? nil : value }
    process = try terminal.spawn(words, environment: variables, in: folder.url.path)
    let (end, sink) = AsyncStream.makeStream(of: Int32.self)
    self.end = end
    DispatchQueue.global().async { [process] in
      var status: Int32 = 0
      while waitpid(process, &status, 0) < 0, errno == EINTR {}
      // The exit code, or the negative number of a signal.
      sink.yield(status & 0x7F == 0 ? status >> 8 & 0xFF : -(status & 0x7F))
      sink.finish()
    }
  }

  deinit { if !ended { kill(process, SIGKILL) } }

  private func nextOutput() async -> [UInt8]? {
    for await bytes in terminal.output { return bytes }
    return nil
  }

  /// Runs a closure, and closes the window if it takes more than a minute: the output
  /// does not end with the process.
  private func withLimit(_ body: () async throws -> Void) async throws {
    let watch = Task { [terminal] in
      try await Task.sleep(for: .seconds(60))
      terminal.hangUp()
    }
    defer { watch.cancel() }
    try await body()
  }

  /// Waits until the screen meets a condition.
  ///
  /// - Throws: ``NotShown`` after a minute, or at the time limit of the test.
  public func wait(_ what: String, until isShown: (VirtualScreen) -> Bool) async throws {
    try await withLimit {
      while !isShown(screen) {
        guard let bytes = await nextOutput() else {
          throw NotShown(description: "not shown: \(what), but:\n\(screen.text)")
        }
        screen.write(bytes)
      }
    }
  }

  /// Waits until the screen meets a condition, even if output that arrives at the
  /// same time changes it again. The condition is checked before each carriage
  /// return takes effect.
  ///
  /// - Throws: ``NotShown`` after a minute, or at the time limit of the test.
  public func wait(forMoment what: String, until isShown: (VirtualScreen) -> Bool) async throws {
    var bytes: ArraySlice<UInt8> = []
    try await withLimit {
      while !isShown(screen) {
        if bytes.isEmpty {
          guard let next = await nextOutput() else {
            throw NotShown(description: "not shown: \(what), but:\n\(screen.text)")
          }
          bytes = next[...]
        }
        let end = bytes.firstIndex(of: UInt8(ascii: "\r")).map { $0 + 1 } ?? bytes.endIndex
        screen.write(Array(bytes[..<end]))
        bytes = bytes[end...]
      }
    }
    screen.write(Array(bytes))
  }

  /// Waits until a text is shown.
  public func wait(for text: String) async throws {
    try await wait(text) { $0.text.contains(text) }
  }

  /// Waits until a text is no longer shown.
  public func wait(forEndOf text: String) async throws {
    try await wait("no \(text)") { !$0.text.contains(text) }
  }

  /// Types a text.
  public func send(_ text: String) { terminal.send(text.utf8) }

  /// Sends the process a signal.
  public func signal(_ number: Int32) { kill(process, number) }

  /// Sends a signal to the foreground job, like a shell.
  public func signalJob(_ number: Int32) {
    if let group = terminal.foreground { kill(-group, number) }
  }

  /// Changes the size of the terminal.
  public func resize(width: Int, height: Int) {
    screen.resize(width: width, height: height)
    terminal.resize(width: width, height: height)
  }

  /// Waits for the end of the process, and reads its remaining output.
  ///
  /// - Returns: The exit status, or the negative number of the signal that
  ///   ended the process; nil if the time limit of the test is exceeded.
  public func waitForEnd() async -> Int32? {
    for await status in end {
      ended = true
      if terminal.isGone { return status }
      // The mark follows all output of the process.
      let mark = "\u{7}\u{7}\u{7}"
      terminal.show(mark)
      var bells = 0
      while bells < 3, let bytes = await nextOutput() {
        bells += bytes.count { $0 == 7 }
        screen.write(bytes)
      }
      return status
    }
    return nil
  }
}
