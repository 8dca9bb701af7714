import Dispatch
import Foundation

/// Says when to look for commits elsewhere: at an interval, and where the
/// platform tells of it, soon after somebody has written to the log.
///
/// It ends when it is let go.
// `@unchecked`: what is kept is constant, and Dispatch's may be used from
// anywhere.
final class Lookout: @unchecked Sendable {
  private let timer: any DispatchSourceTimer
  private let watch: LogWatch?

  /// - Parameters:
  ///   - interval: The time between two looks, in seconds.
  ///   - log: The path of the write-ahead log, if that is to be watched.
  ///   - look: Is called on a queue of its own.
  init(
    interval: TimeInterval, log: String?, _ look: @escaping @Sendable () -> Void
  ) {
    let milliseconds = Int(min(max(1, interval * 1_000), 1e9))
    timer = DispatchSource.makeTimerSource(queue: .global(qos: .utility))
    timer.schedule(
      deadline: .now() + .milliseconds(milliseconds), repeating: .milliseconds(milliseconds))
    timer.setEventHandler(handler: look)
    timer.resume()
    watch = log.flatMap { LogWatch($0, look) }
  }

  deinit { timer.cancel() }
}
