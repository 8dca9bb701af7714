import Dispatch
import Foundation

/// A file that takes what processes write to it, until the last of them is gone.
public final class NamedPipe: Sendable {
  /// A pipe could not be made.
  public struct Unavailable: Error {
    let number: Int32
  }

  private let file: Int32

  /// Makes a pipe in a folder.
  public init(_ name: String, in folder: TemporaryFolder) throws {
    guard mkfifo(folder.path(name), 0o600) == 0 else { throw Unavailable(number: errno) }
    // A reader that waited for writers would wait here.
    file = open(folder.path(name), O_RDONLY | O_NONBLOCK | O_CLOEXEC)
    guard file >= 0 else { throw Unavailable(number: errno) }
  }

  deinit { close(file) }

  /// All that processes write that have it open, once they are gone.
  ///
  /// - Returns: Nil once the test's time is over.
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
