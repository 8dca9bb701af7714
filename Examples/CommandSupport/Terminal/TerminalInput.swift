import Dispatch
import Foundation

/// The bytes that a terminal sends while keys are pressed.
public enum Keyboard {
  /// The bytes of standard input in the chunks in which they arrive; an empty
  /// chunk at the end of the input.
  public static func stream() -> AsyncStream<[UInt8]> {
    let (stream, sink) = AsyncStream.makeStream(of: [UInt8].self)
    let source = DispatchSource.makeReadSource(fileDescriptor: STDIN_FILENO, queue: .global())
    source.setEventHandler {
      var bytes = [UInt8](repeating: 0, count: 64)
      let count = read(STDIN_FILENO, &bytes, bytes.count)
      sink.yield(Array(bytes.prefix(max(0, count))))
      if count <= 0 { sink.finish() }
    }
    source.resume()
    let sendable = SendableSource(source)
    sink.onTermination = { _ in sendable.cancel() }
    return stream
  }
}

/// The signals of the process as a stream.
public enum Signals {
  /// The signals that programs handle.
  public enum Kind: Sendable {
    /// Ctrl-C.
    case interrupt
    /// Ctrl-\, which also requests a core dump by default.
    case quit
    /// A request to end the process.
    case terminate
    /// Ctrl-Z, or a request to stop the process.
    case stop
    /// The terminal was closed.
    case hangUp
    /// The size of the terminal has changed.
    case resize
    /// The process continues after it was stopped.
    case resume

    fileprivate var number: Int32 {
      switch self {
      case .interrupt: SIGINT
      case .quit: SIGQUIT
      case .terminate: SIGTERM
      case .stop: SIGTSTP
      case .hangUp: SIGHUP
      case .resize: SIGWINCH
      case .resume: SIGCONT
      }
    }
  }

  /// Ends the process by a signal, so that its parent sees which one: a shell
  /// reports the status 128 plus the number of the signal.
  public static func endProcess(by kind: Kind) -> Never {
    // The threads of dispatch sources block the signal.
    var set = sigset_t()
    sigemptyset(&set)
    sigaddset(&set, kind.number)
    pthread_sigmask(SIG_UNBLOCK, &set, nil)
    signal(kind.number, SIG_DFL)
    raise(kind.number)
    // The default action of other signals does not end the process.
    exit(128 + kind.number)
  }

  /// The signals of the given kinds. Their default actions are disabled from
  /// now on.
  public static func stream(_ kinds: [Kind]) -> AsyncStream<Kind> {
    let (stream, sink) = AsyncStream.makeStream(of: Kind.self)
    // A signal that arrives before its source is registered is ignored.
    let registrations = DispatchGroup()
    let sources = kinds.map { kind in
      signal(kind.number, SIG_IGN)
      let source = DispatchSource.makeSignalSource(signal: kind.number, queue: .global())
      source.setEventHandler { sink.yield(kind) }
      registrations.enter()
      source.setRegistrationHandler { registrations.leave() }
      source.resume()
      return SendableSource(source)
    }
    registrations.wait()
    sink.onTermination = { _ in for source in sources { source.cancel() } }
    return stream
  }
}

// `@unchecked`: dispatch sources may be canceled from any thread, but their
// type is not `Sendable` on all platforms.
private struct SendableSource: @unchecked Sendable {
  private let source: any DispatchSourceProtocol

  init(_ source: any DispatchSourceProtocol) { self.source = source }

  func cancel() { source.cancel() }
}
