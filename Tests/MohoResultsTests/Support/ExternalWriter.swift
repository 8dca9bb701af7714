import CommandTesting
import Foundation
import MohoRows
import PostgresTesting
import StoreTesting

@testable import MohoPostgres
@testable import MohoSQLite

/// A program or connection that writes to the tables of a store.
protocol ExternalWriter {
  /// Executes one transaction.
  ///
  /// - Returns: Whether it was committed. False if it violates a constraint.
  @discardableResult
  func commit(_ statements: [String]) throws -> Bool
}

extension ModelStore {
  /// Runs a closure with a store of books and a writer of its tables. A store in a file
  /// reads the commits of the writer only when it is asked to.
  static func withExternalWriter(
    _ body: (ModelStore, any ExternalWriter) throws -> Void
  ) throws {
    switch TestedEngine.current {
    case .sqlite:
      let folder = try TemporaryFolder()
      defer { withExtendedLifetime(folder) {} }
      var configuration = StoreConfiguration(externalChangesInterval: 3_600)
      configuration.watchesLog = false
      let path = folder.path("books.sqlite")
      let store = try ModelStore(
        path: path, models: Book.self, Shelf.self, Chapter.self, Tag.self,
        configuration: configuration)
      try body(store, WritingProcess(path: path))
    case .postgres:
      let url = try PostgresServer.shared().emptySchema()
      let store = try ModelStore(
        postgres: url, models: Book.self, Shelf.self, Chapter.self, Tag.self)
      try body(store, WritingConnection(connection: AdministratorConnection(url)))
    }
  }
}

/// A process that writes to the file of a store. Each call waits until the process
/// has committed, so commits are in the order of the calls.
private final class WritingProcess: ExternalWriter {
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

/// A connection to a PostgreSQL server.
private struct WritingConnection: ExternalWriter {
  let connection: AdministratorConnection

  func commit(_ statements: [String]) throws -> Bool {
    do {
      try connection.execute("BEGIN; \(statements.joined(separator: ";\n")); COMMIT")
      return true
    } catch {
      try connection.execute("ROLLBACK")
      return false
    }
  }
}
