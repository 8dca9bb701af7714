import CPseudoTerminal
import Dispatch
import Foundation
import Synchronization

/// A terminal without a window, in which processes run as in a real terminal.
public final class PseudoTerminal: Sendable {
  /// The terminal could not be opened.
  public struct Unavailable: Error {
    let call: String
    let number: Int32
  }

  /// The output of the processes, for one consumer.
  public let output: AsyncStream<[UInt8]>
  /// The side of the window.
  private let master: Int32
  /// The side of the processes. It stays open so that the settings of the
  /// terminal can be read after the processes have ended.
  private let slave: Int32
  private let path: String
  private let window: Window

  /// Creates a terminal with a size.
  public init(width: Int, height: Int) throws {
    var name = [CChar](repeating: 0, count: 256)
    master = pseudo_terminal_open(&name, name.count)
    guard master >= 0 else { throw Unavailable(call: "openpt", number: errno) }
    path = String(decoding: name.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
    slave = open(path, O_RDWR | O_NOCTTY)
    guard slave >= 0 else { throw Unavailable(call: "open \(path)", number: errno) }
    // Programs that a test starts must not inherit the files.
    for file in [master, slave] { _ = fcntl(file, F_SETFD, FD_CLOEXEC) }
    (output, window) = Self.window(on: master)
    resize(width: width, height: height)
  }

  deinit { hangUp() }

  /// Whether the window is closed.
  public var isGone: Bool { window.isClosed.withLock { $0 } }

  /// Closes the window, which disconnects the terminal from its processes.
  public func hangUp() {
    let wasClosed = window.isClosed.withLock { isClosed in
      defer { isClosed = true }
      return isClosed
    }
    if wasClosed { return }
    close(slave)
    window.source.cancel()
  }

  /// The foreground process group of the terminal, if there is one.
  public var foreground: pid_t? {
    let group = tcgetpgrp(master)
    return group > 0 ? group : nil
  }

  /// Changes the size of the terminal, and sends the processes a signal.
  public func resize(width: Int, height: Int) {
    var size = winsize()
    size.ws_col = UInt16(width)
    size.ws_row = UInt16(height)
    _ = ioctl(master, UInt(TIOCSWINSZ), &size)
  }

  /// Whether the terminal is in its normal mode: it edits and echoes lines, and
  /// converts keys to signals.
  public var isCooked: Bool {
    var settings = termios()
    guard tcgetattr(slave, &settings) == 0 else { return false }
    let flags = tcflag_t(ICANON | ECHO | ISIG)
    return settings.c_lflag & flags == flags
  }

  /// Types bytes.
  public func send(_ bytes: some Sequence<UInt8>) {
    let bytes = Array(bytes)
    var sent = 0
    // SAFETY: the pointers are used during the call only, for as many bytes as
    // they point to.
    while sent < bytes.count {
      let count = bytes[sent...].withUnsafeBytes { write(master, $0.baseAddress, $0.count) }
      guard count > 0 else { return }
      sent += count
    }
  }

  /// Writes a text to the screen.
  func show(_ text: String) {
    let bytes = Array(text.utf8)
    _ = bytes.withUnsafeBytes { write(slave, $0.baseAddress, $0.count) }
  }

  /// Runs a program in the terminal as a session leader.
  ///
  /// - Returns: The id of the process.
  public func spawn(_ words: [String], environment: [String: String], in folder: String) throws
    -> pid_t
  {
    var arguments = words.map { strdup($0) } + [nil]
    var variables = environment.map { strdup("\($0)=\($1)") } + [nil]
    defer { for text in arguments + variables { free(text) } }
    let process = pseudo_terminal_spawn(path, folder, &arguments, &variables)
    guard process > 0 else { throw Unavailable(call: "spawn \(words[0])", number: -process) }
    return process
  }

  private static func window(on master: Int32) -> (AsyncStream<[UInt8]>, Window) {
    let (stream, sink) = AsyncStream.makeStream(of: [UInt8].self)
    let source = DispatchSource.makeReadSource(fileDescriptor: master, queue: .global())
    source.setEventHandler {
      var bytes = [UInt8](repeating: 0, count: 4_096)
      let count = read(master, &bytes, bytes.count)
      if count > 0 { sink.yield(Array(bytes.prefix(count))) } else { sink.finish() }
    }
    // The source owns the file until it is canceled.
    source.setCancelHandler {
      close(master)
      sink.finish()
    }
    source.resume()
    return (stream, Window(source: source))
  }
}

// `@unchecked`: dispatch sources may be canceled from any thread, but their
// type is not `Sendable` on all platforms.
private final class Window: @unchecked Sendable {
  let source: any DispatchSourceRead
  let isClosed = Mutex(false)

  init(source: any DispatchSourceRead) { self.source = source }
}
