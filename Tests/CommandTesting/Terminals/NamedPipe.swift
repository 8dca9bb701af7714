import Dispatch
import Foundation

/// A named pipe, which collects the output of processes until they have ended.
public final class NamedPipe: Sendable {
  /// The pipe could not be created.
  public struct Unavailable: Error {
    let number: Int32
  }

  private let file: Int32

  /// Creates a pipe in a folder.
  public init(_ name: String, in folder: TemporaryFolder) throws {
    guard mkfifo(folder.path(name), 0o600) == 0 else { throw Unavailable(number: errno) }
    // Without `O_NONBLOCK`, opening the pipe waits for a writer.
    file = open(folder.path(name), O_RDONLY | O_NONBLOCK | O_CLOEXEC)
    guard file >= 0 else { throw Unavailable(number: errno) }
  }

  deinit { close(file) }

  /// Waits for the end of all processes that have the pipe open, and returns
  /// their output.
  ///
  /// - Returns: Nil if the time limit of the test is exceeded.
  public func text() async -> String? {
    let (texts, sink) = AsyncStream.makeStream(of: String.self)
    DispatchQueue.global().async { [self] in
      _ = fcntl(file, F_SETFL, 0)
      var bytes = [UInt8](repeating: 0, count: 4_096)
      var all: [UInt8] = []
      while case let count = read(file, &bytes, bytes.count), count > 0 {
        all += bytes.prefix(count)
      }
      sink.yield(String(decoding: all, as: UTF8.self))
      sink.finish()
    }
    for await text in texts { return text }
    return nil
  }
}
