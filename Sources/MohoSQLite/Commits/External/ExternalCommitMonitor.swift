import Dispatch
import Foundation
import MohoRows

/// Triggers checks for commits of other connections: periodically, and shortly
/// after writes to the log on platforms that support file watching.
///
/// It stops when it is deallocated.
// `@unchecked`: all properties are constants, and Dispatch objects can be used
// from any thread.
final class ExternalCommitMonitor: @unchecked Sendable {
  private let timer: any DispatchSourceTimer
  private let watch: LogFileWatcher?

  /// - Parameters:
  ///   - interval: The time between two checks, in seconds.
  ///   - log: The path of the write-ahead log, or nil to not watch it.
  ///   - look: The closure that checks for commits. It is called on a
  ///     background queue.
  init(
    interval: TimeInterval, log: String?, _ look: @escaping @Sendable () -> Void
  ) {
    let milliseconds = Int(min(max(1, interval * 1_000), 1e9))
    timer = DispatchSource.makeTimerSource(queue: .global(qos: .utility))
    timer.schedule(
      deadline: .now() + .milliseconds(milliseconds), repeating: .milliseconds(milliseconds))
    timer.setEventHandler(handler: look)
    timer.resume()
    watch = log.flatMap { LogFileWatcher($0, look) }
  }

  deinit { timer.cancel() }
}
