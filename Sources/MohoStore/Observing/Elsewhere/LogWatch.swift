import Dispatch

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Bionic)
  import Bionic
#endif

#if os(Linux) || os(Android)
  /// Calls when somebody has written to a file, by Linux's inotify.
  ///
  /// A commit can be seen only a moment after it has been written to the log, a
  /// longer one where it is made durable first, or where the machine is busy. So
  /// it calls several times, and takes what is written until the second call for
  /// one. What comes later than the last is left to the interval.
  // `@unchecked`: what is kept is constant, and Dispatch's may be used from
  // anywhere.
  final class LogWatch: @unchecked Sendable {
    private let source: any DispatchSourceRead
    private let queue = DispatchQueue(label: "moho.log", qos: .utility)

    /// When it calls after a write, in milliseconds: before it asks for the next
    /// one, then, and after that.
    private static let (first, second, later) = (1, 10, [100, 1_000])

    /// Watches a file; nil where that cannot be done.
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
          // The descriptor is open for as long as this lives.
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

    /// Asks for the next write, and no more, so that many cost no more than one.
    private static func watchOnce(_ path: String, _ descriptor: CInt) -> Bool {
      inotify_add_watch(descriptor, path, UInt32(IN_MODIFY) | UInt32(IN_ONESHOT)) >= 0
    }

    /// Whether there was a write, among what there is to read.
    private static func hasWrite(_ descriptor: CInt) -> Bool {
      // Events of a file have no name, and so are of one size.
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
  /// Nothing: only the interval is kept here.
  final class LogWatch: Sendable {
    init?(_ path: String, _ onWrite: @escaping @Sendable () -> Void) { return nil }
  }
#endif
