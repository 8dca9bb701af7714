import Dispatch
import Foundation

/// The keys that are pressed, as they come.
public enum Keyboard {
  /// What standard input holds, piece by piece; an empty piece at its end.
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
    let held = UncheckedSource(source)
    sink.onTermination = { _ in held.cancel() }
    return stream
  }
}
