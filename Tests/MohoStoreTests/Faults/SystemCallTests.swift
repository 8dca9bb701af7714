import CommandTesting
import Foundation
import Testing

/// Tests that only SQLite uses the files of a store. POSIX drops all locks of a process on a file
/// when any code closes the file.
@Suite struct SystemCallTests {
  private static let strace = "/usr/bin/strace"

  /// Whether programs can be traced, with the stacks of their calls.
  private static let canTrace: Bool = {
    let process = Process()
    process.executableURL = URL(filePath: strace)
    process.arguments = ["-k", "-o", "/dev/null", "/bin/true"]
    process.standardError = FileHandle.nullDevice
    do { try process.run() } catch { return false }
    process.waitUntilExit()
    return process.terminationStatus == 0
  }()

  /// Calls that take a path, and open nothing.
  private static let harmless = [
    "stat", "access", "readlink", "xattr", "inotify_add_watch", "execve",
  ]

  @Test(.enabled(if: canTrace, "strace is not installed, or the system does not permit it"))
  func onlySQLiteUsesTheFiles() async throws {
    let folder = try TemporaryFolder()
    let (path, log) = (folder.path("store.sqlite"), folder.path("calls"))

    let result = try await Tool("StoreCrasher").run(
      ["save", path, "0", "2"], in: folder,
      prefix: [Self.strace, "-f", "-y", "-k", "-e", "trace=%file,%desc", "-o", log])

    #expect(result.status == 0)
    let calls = try Self.calls(log).filter { $0.text.contains(path) }
    #expect(calls.contains { $0.text.contains("openat") && $0.text.contains("-wal") })
    for call in calls {
      let name = call.text.prefix { $0 != "(" }
      if Self.harmless.contains(where: name.contains) { continue }
      // The C library is the innermost caller.
      let caller = call.stack.first { !$0.contains("libc.so") && !$0.contains("ld-linux") }
      #expect(caller?.contains("libsqlite3") == true, "\(call.text): \(call.stack.prefix(4))")
    }
  }

  /// A system call, and the functions that have led to it, innermost first.
  private struct Call {
    let text: String
    var stack: [Substring] = []
  }

  private static func calls(_ path: String) throws -> [Call] {
    var calls: [Call] = []
    // The calls that wait while other threads make calls, by the numbers of their threads.
    var waiting: [Substring: String] = [:]
    for line in try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n") {
      if line.hasPrefix(" > ") {
        if !calls.isEmpty { calls[calls.count - 1].stack.append(line) }
        continue
      }
      let thread = line.prefix { $0.isNumber }
      var text = String(line.dropFirst(thread.count).drop { $0 == " " })
      if text.hasSuffix("<unfinished ...>") {
        waiting[thread] = text
        continue
      }
      if text.hasPrefix("<... ") { text = (waiting.removeValue(forKey: thread) ?? "") + text }
      calls.append(Call(text: text))
    }
    return calls
  }
}
