import CommandTesting
import Foundation

/// A process that watches a store, and its output.
final class Watch {
  let output: Lines
  let errors: Lines
  private let process: Process
  private let end: AsyncStream<Int32>

  init(
    _ options: [String], store: String = "store.sqlite", in folder: TemporaryFolder
  ) throws {
    let (outputPipe, errorPipe) = (Pipe(), Pipe())
    process = Tool.episodeFeed.process(
      [Tool.episodeFeed.url.path, "watch", "--store", store] + options, in: folder)
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = outputPipe
    process.standardError = errorPipe
    output = Lines(outputPipe.fileHandleForReading)
    errors = Lines(errorPipe.fileHandleForReading)
    let (end, ended) = AsyncStream.makeStream(of: Int32.self)
    self.end = end
    process.terminationHandler = { process in
      ended.yield(process.terminationStatus)
      ended.finish()
    }
    try process.run()
  }

  deinit { if process.isRunning { process.terminate() } }

  func send(_ signal: Int32) { kill(process.processIdentifier, signal) }

  var status: Int32? {
    get async {
      for await status in end { return status }
      return nil
    }
  }
}

/// The lines of a pipe, as they arrive.
final class Lines {
  private let pieces: AsyncStream<Data>
  private var rest = Data()

  init(_ file: FileHandle) {
    let (pieces, sink) = AsyncStream.makeStream(of: Data.self)
    self.pieces = pieces
    file.readabilityHandler = { file in
      let data = file.availableData
      if data.isEmpty {
        file.readabilityHandler = nil
        sink.finish()
      } else {
        sink.yield(data)
      }
    }
  }

  private func piece() async -> Data? {
    for await piece in pieces { return piece }
    return nil
  }

  /// The next line, or nil at the end.
  func next() async -> String? {
    while true {
      if let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
        let line = String(decoding: rest[..<end], as: UTF8.self)
        rest = Data(rest[(end + 1)...])
        return line
      }
      guard let piece = await piece() else { return nil }
      rest += piece
    }
  }
}
