import Dispatch
import Foundation

/// Signals as a stream instead of a sudden end.
public enum Signals {
  /// What a signal asks for.
  public enum Kind: Sendable {
    /// Ctrl-C.
    case interrupt
    /// Somebody ends the process.
    case terminate
    /// Ctrl-Z, where the terminal makes a signal of it, or somebody stops the
    /// process for a while.
    case stop
    /// The terminal is gone.
    case hangUp
    /// The terminal has another size.
    case resize
    /// The process goes on after it was stopped.
    case resume

    fileprivate var number: Int32 {
      switch self {
      case .interrupt: SIGINT
      case .terminate: SIGTERM
      case .stop: SIGTSTP
      case .hangUp: SIGHUP
      case .resize: SIGWINCH
      case .resume: SIGCONT
      }
    }
  }

  /// The signals of some kinds, which have no other effect from now on.
  public static func stream(_ kinds: [Kind]) -> AsyncStream<Kind> {
    let (stream, sink) = AsyncStream.makeStream(of: Kind.self)
    let sources = kinds.map { kind in
      signal(kind.number, SIG_IGN)
      let source = DispatchSource.makeSignalSource(signal: kind.number, queue: .global())
      source.setEventHandler { sink.yield(kind) }
      source.resume()
      return UncheckedSource(source)
    }
    sink.onTermination = { _ in for source in sources { source.cancel() } }
    return stream
  }
}
