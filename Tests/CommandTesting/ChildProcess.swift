import Foundation
import Synchronization

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Bionic)
  import Bionic
#elseif canImport(Darwin)
  import Darwin
#endif

/// A child process that tests can kill.
///
/// `Foundation.Process` can wait forever for a process that has been killed.
/// This type waits at most for a given time.
public final class ChildProcess: Sendable {
  /// The error for a process that did not end in time. The process has been
  /// killed.
  public struct Timeout: Error {}

  private let id: pid_t
  /// The wait status, after the process has ended.
  private let end = Mutex<Int32?>(nil)

  /// Starts a program.
  ///
  /// - Parameter output: The file for the standard output of the program.
  public init(_ path: String, _ arguments: [String], output: FileHandle) throws {
    var words = ([path] + arguments).map { strdup($0) } + [nil]
    var environment = ProcessInfo.processInfo.environment.map { strdup("\($0)=\($1)") } + [nil]
    defer { for word in words + environment { free(word) } }
    #if canImport(Darwin)
      var actions: posix_spawn_file_actions_t?
    #else
      var actions = posix_spawn_file_actions_t()
    #endif
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_adddup2(&actions, output.fileDescriptor, 1)
    var id: pid_t = 0
    let code = posix_spawn(&id, path, &actions, nil, &words, &environment)
    guard code == 0 else { throw POSIXError(POSIXErrorCode(rawValue: code) ?? .EIO) }
    self.id = id
  }

  /// Whether the process has not ended.
  public var isRunning: Bool { status == nil }

  /// The exit status or the signal that ended the process. Nil while it is
  /// running.
  private var status: Int32? {
    end.withLock { end in
      var found: Int32 = 0
      if end == nil, waitpid(id, &found, WNOHANG) == id {
        let signal = found & 0x7f
        end = signal == 0 ? (found >> 8) & 0xff : signal
      }
      return end
    }
  }

  /// Kills the process, unless it has ended.
  public func kill() {
    // The process ID is not reused before the process has been waited for.
    end.withLock { if $0 == nil { _ = signal(SIGKILL, to: id) } }
  }

  /// Waits until the process ends.
  ///
  /// - Returns: The exit status, or the signal that ended the process.
  /// - Throws: ``Timeout`` if the process does not end in time.
  public func wait(atMost seconds: TimeInterval = 120) throws -> Int32 {
    let deadline = Date(timeIntervalSinceNow: seconds)
    while Date() < deadline {
      if let status { return status }
      usleep(200)
    }
    kill()
    throw Timeout()
  }
}

private func signal(_ signal: Int32, to process: pid_t) -> Int32 { kill(process, signal) }
