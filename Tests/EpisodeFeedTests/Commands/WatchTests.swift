import CommandTesting
import EpisodeFeed
import Foundation
import Moho
import Testing

/// `watch` without a terminal, while other processes write to its store.
@Suite struct WatchTests {
  @Test(.timeLimit(.minutes(20)), arguments: [(SIGINT, ["--plain"]), (SIGTERM, [])])
  func changesByOtherProcessesArePrintedUntilASignal(
    signal: Int32, options: [String]
  ) async throws {
    let folder = try TemporaryFolder()
    var items = ScreencastItem.three
    _ = try folder.file("one.json", items.data)
    items[2].date = "2014-04-17T08:00:00Z"
    items[2].title = "Rows that Move"
    items.remove(at: 1)
    _ = try folder.file("two.json", items.data)
    let watch = try Watch(options, in: folder)
    #expect(await watch.errors.next() == "Watching 0 episodes. Quit with Ctrl-C.")

    _ = try await Tool.episodeFeed.run(
      ["import", "one.json", "--store", "store.sqlite"], in: folder)
    let inserts = await [watch.output.next(), watch.output.next(), watch.output.next()]
    _ = try await Tool.episodeFeed.run(
      ["import", "two.json", "--mirror", "--store", "store.sqlite"], in: folder)
    let changes = await [watch.output.next(), watch.output.next()]
    watch.send(signal)

    #expect(
      inserts == [
        #"insert [0, 0]  115 "Models""#, #"insert [0, 1]  114 "Maps""#,
        #"insert [0, 2]  113 "Rows""#,
      ])
    #expect(
      changes == [
        #"delete [0, 1]  114 "Maps""#,
        #"move [0, 2] → [0, 0] changed title, publishedAt  113 "Rows that Move""#,
      ])
    #expect(await watch.output.next() == nil)
    #expect(await watch.status == 0)
  }
}

/// A process that watches a store, and its output.
private final class Watch {
  let output: Lines
  let errors: Lines
  private let process: Process
  private let end: AsyncStream<Int32>

  init(_ options: [String], in folder: TemporaryFolder) throws {
    let (outputPipe, errorPipe) = (Pipe(), Pipe())
    process = Tool.episodeFeed.process(
      [Tool.episodeFeed.url.path, "watch", "--store", "store.sqlite"] + options, in: folder)
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
private final class Lines {
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
