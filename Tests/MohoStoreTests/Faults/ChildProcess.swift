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

/// A program that runs beside the tests and may be killed.
///
/// `Foundation.Process` may wait forever for one that is killed; this waits for
/// as long as is said, at most.
final class ChildProcess: Sendable {
  /// It has not ended in time, and was killed.
  struct Overdue: Error {}

  private let id: pid_t
  /// How it has ended, once it has.
  private let end = Mutex<Int32?>(nil)

  /// Starts a program.
  ///
  /// - Parameter output: Where its standard output goes.
  init(_ path: String, _ arguments: [String], output: FileHandle) throws {
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

  /// Whether it has not yet ended.
  var isRunning: Bool { status == nil }

  /// Its exit status, or the signal that has ended it; nil while it runs.
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

  /// Kills it, unless it has ended.
  func kill() {
    // Its number is not another's before it has been waited for.
    end.withLock { if $0 == nil { _ = signal(SIGKILL, to: id) } }
  }

  /// Waits for its end.
  ///
  /// - Returns: Its exit status, or the signal that has ended it.
  /// - Throws: ``Overdue`` where it takes longer.
  func wait(atMost seconds: TimeInterval = 120) throws -> Int32 {
    let deadline = Date(timeIntervalSinceNow: seconds)
    while Date() < deadline {
      if let status { return status }
      usleep(200)
    }
    kill()
    throw Overdue()
  }
}

private func signal(_ signal: Int32, to process: pid_t) -> Int32 { kill(process, signal) }
