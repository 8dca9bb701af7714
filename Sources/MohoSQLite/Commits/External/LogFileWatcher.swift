import Dispatch
import MohoRows

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Android)
  import Android
#endif

#if os(Linux) || os(Android)
  /// Watches a file for writes with Linux's inotify.
  ///
  /// A commit becomes visible shortly after it has been written to the log, and
  /// later if the log is synchronized to disk or the machine is busy.
  /// Therefore, the closure is called several times after a write. All writes
  /// until the second call are treated as one. The polling interval of
  /// ``ExternalCommitMonitor`` covers commits that become visible after the last call.
  // `@unchecked`: all properties are constants, and Dispatch objects can be
  // used from any thread.
  final class LogFileWatcher: @unchecked Sendable {
    private let source: any DispatchSourceRead
    private let queue = DispatchQueue(label: "moho.log", qos: .utility)

    /// The delays of the calls after a write, in milliseconds. The watch is
    /// renewed at the second call.
    private static let (first, second, later) = (1, 10, [100, 1_000])

    /// Starts watching a file. Returns nil if the file cannot be watched.
    init?(_ path: String, _ onWrite: @escaping @Sendable () -> Void) {
      let descriptor = inotify_init1(CInt(IN_NONBLOCK) | CInt(IN_CLOEXEC))
      guard descriptor >= 0 else { return nil }
      guard Self.watchOnce(path, descriptor) else {
        close(descriptor)
        return nil
      }
      source = DispatchSource.makeReadSource(fileDescriptor: descriptor, queue: queue)
      source.setCancelHandler { close(descriptor) }
      source.setEventHandler { [weak self] in
        guard let self, Self.hasWrite(descriptor) else { return }
        queue.asyncAfter(deadline: .now() + .milliseconds(Self.first), execute: onWrite)
        queue.asyncAfter(deadline: .now() + .milliseconds(Self.second)) { [weak self] in
          // The descriptor is open as long as `self` exists.
          guard let self else { return }
          withExtendedLifetime(self) { _ = Self.watchOnce(path, descriptor) }
          onWrite()
        }
        for delay in Self.later {
          queue.asyncAfter(deadline: .now() + .milliseconds(delay), execute: onWrite)
        }
      }
      source.resume()
    }

    deinit { source.cancel() }

    /// Watches for a single write, so that many writes do not cause many
    /// events.
    private static func watchOnce(_ path: String, _ descriptor: CInt) -> Bool {
      inotify_add_watch(descriptor, path, UInt32(IN_MODIFY) | UInt32(IN_ONESHOT)) >= 0
    }

    /// Reads all pending events. Returns whether one of them is a write.
    private static func hasWrite(_ descriptor: CInt) -> Bool {
      // The events of a watched file have no name, so they all have the same
      // size.
      var events = [inotify_event](repeating: inotify_event(), count: 16)
      let size = MemoryLayout<inotify_event>.stride
      var hasWrite = false
      while true {
        let count = read(descriptor, &events, events.count * size)
        guard count > 0 else { return hasWrite }
        if events.prefix(count / size).contains(where: { $0.mask & UInt32(IN_MODIFY) != 0 }) {
          hasWrite = true
        }
      }
    }
  }
#else
  /// File watching is not available on this platform. Only the polling interval
  /// is used.
  final class LogFileWatcher: Sendable {
    init?(_ path: String, _ onWrite: @escaping @Sendable () -> Void) { return nil }
  }
#endif
