import CommandTesting
import Foundation
import MohoRows
import MohoSQLite

/// A process that writes to the file of a store. Each call waits until the process
/// has committed, so commits are in the order of the calls.
final class ExternalWriter {
  struct Failure: Error {}

  private let process = Process()
  private let input = Pipe()
  private let output = Pipe()
  private var rest = Data()

  init(path: String) throws {
    process.executableURL = Tool("ExternalWriter").url
    process.arguments = [path]
    process.standardInput = input
    process.standardOutput = output
    try process.run()
    guard try line() == "open" else { throw Failure() }
  }

  deinit {
    // Closing its input ends the process.
    try? input.fileHandleForWriting.close()
    process.waitUntilExit()
  }

  /// Executes one transaction.
  ///
  /// - Returns: Whether it was committed. False if it violates a constraint.
  @discardableResult
  func commit(_ statements: [String]) throws -> Bool {
    let line = try JSONEncoder().encode(statements) + Data("\n".utf8)
    try input.fileHandleForWriting.write(contentsOf: line)
    return try self.line() == "committed"
  }

  private func line() throws -> String {
    while true {
      if let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
        let line = rest[..<end]
        rest = Data(rest[(end + 1)...])
        return String(decoding: line, as: UTF8.self)
      }
      let more = output.fileHandleForReading.availableData
      if more.isEmpty { throw Failure() }
      rest += more
    }
  }
}

extension ModelStore {
  /// Runs a closure with a store of books in a file and a process that writes to
  /// it. The store reads the commits of the process only when it is asked to.
  static func withExternalWriter(
    _ body: (ModelStore, ExternalWriter) throws -> Void
  ) throws {
    let folder = try TemporaryFolder()
    defer { withExtendedLifetime(folder) {} }
    var configuration = StoreConfiguration(externalChangesInterval: 3_600)
    configuration.watchesLog = false
    let store = try ModelStore(
      path: folder.path("books.sqlite"), models: Book.self, Shelf.self, Chapter.self, Tag.self,
      configuration: configuration)
    try body(store, ExternalWriter(path: folder.path("books.sqlite")))
  }
}
