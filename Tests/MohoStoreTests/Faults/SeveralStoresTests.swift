import CommandTesting
import Fixtures
import Foundation
import GRDB
import MohoMapping
import MohoRows
import MohoSQLite
import Testing

/// Tests several stores and programs that have the same file open.
@Suite struct SeveralStoresTests {
  private let all = ModelRequest<Episode>()

  private func open(_ path: String, isReadOnly: Bool = false) throws -> ModelStore {
    try ModelStore(
      path: path, models: Episode.self, configuration: StoreConfiguration(isReadOnly: isReadOnly))
  }

  @Test(arguments: [false, true])
  func anotherProgramDoesNotDeleteTheLogOfTwoStores(isReadOnly: Bool) throws {
    try withStorePath { path in
      let store = try open(path)
      try store.write { try $0.save((1...10).map { Episode.number($0) }) }
      let other = try open(path, isReadOnly: isReadOnly)
      #expect(try KillableProgram(["save", "0", "1"], store: path).lines().status == 0)

      try store.write { try $0.save((11...400).map { Episode.number($0) }) }

      #expect(try other.fetchCount(all) == 400)
      let sql = "SELECT count(*) FROM Episode"
      #expect(try DatabaseQueue(path: path).read { try Int.fetchOne($0, sql: sql) } == 400)
      withExtendedLifetime(store) {}
    }
  }

  /// What code of the process can do with a file that a store has open.
  private static let uses: [(name: String, use: @Sendable (String) throws -> Void)] = [
    ("open", { _ = try ModelStore(path: $0, models: Episode.self) }),
    (
      "write",
      { path in
        let store = try ModelStore(path: path, models: Episode.self)
        try store.write { try $0.save(Episode.number(2)) }
        try store.writer.close()
      }
    ),
    (
      "read",
      { path in
        let store = try ModelStore(
          path: path, models: Episode.self, configuration: StoreConfiguration(isReadOnly: true))
        _ = try store.fetch(ModelRequest<Episode>())
      }
    ),
    ("plan", { _ = try ModelStore.migrationPlan(path: $0, models: Episode.self) }),
    ("adopt", { _ = try ModelStore(adopting: DatabasePool(path: $0), models: Episode.self) }),
    ("refuse", { _ = try? ModelStore(path: $0, entities: [Entity("Episode", attributes: [])]) }),
    (
      "refuse the application",
      { path in
        var configuration = StoreConfiguration()
        configuration.applicationID = 7
        _ = try? ModelStore(path: path, models: Episode.self, configuration: configuration)
      }
    ),
    ("open a link", { _ = try? ModelStore(path: $0 + ".link", models: Episode.self) }),
    (
      "watch",
      { path in
        final class Observer: Sendable {}
        let store = try ModelStore(path: path, models: Episode.self)
        let observer = try store.observe({ _ in Observer() }) { _, _, _ in }
        try store.write { try $0.save(Episode.number(3)) }
        withExtendedLifetime(observer) {}
      }
    ),
  ]

  @Test(
    .enabled(
      if: FileManager.default.fileExists(atPath: "/proc/locks"), "the system does not list locks"),
    arguments: uses.indices)
  func theProcessRetainsItsLocks(index: Int) throws {
    try withStorePath { path in
      let store = try open(path)
      try store.write { try $0.save(Episode.number(1)) }
      try FileManager.default.linkItem(atPath: path, toPath: path + ".link")
      let files = [path, path + "-shm"]
      #expect(try files.map(isLocked) == [true, true])

      let (name, use) = Self.uses[index]
      try use(path)

      #expect(try files.map(isLocked) == [true, true], "\(name)")
      withExtendedLifetime(store) {}
    }
  }

  /// Returns whether this process has a POSIX lock on a file.
  private func isLocked(_ path: String) throws -> Bool {
    let attributes = try FileManager.default.attributesOfItem(atPath: path)
    let number = try #require(attributes[.systemFileNumber] as? NSNumber)
    let locks = try String(contentsOfFile: "/proc/locks", encoding: .utf8)
    return locks.split(separator: "\n").contains { line in
      let fields = line.split(separator: " ")
      return fields.contains("POSIX") && fields.contains("\(getpid())")
        && fields.contains { $0.hasSuffix(":\(number)") }
    }
  }

  /// The parts of names of functions that open files. `stat` and `inotify` take paths and open
  /// nothing.
  private static let openingFunctions = [
    "FileHandle", "fopen", "open(2", "Glibc.open", "Darwin.open", "openat", "contentsOf:",
    "contentsOfFile", "contents(atPath", "InputStream", "OutputStream", "FileDescriptor",
    "copyItem", "moveItem", "removeItem", "createFile", "DispatchIO", ".write(to",
    "open(path", "O_RDONLY", "O_RDWR", "mmap",
  ]

  @Test func onlySQLiteOpensFiles() throws {
    let sources = URL(filePath: #filePath).deletingLastPathComponent()
      .appending(path: "../../../Sources").standardized
    var lineCount = 0
    for module in ["MohoSQLite", "MohoRows"] {
      let files = FileManager.default.enumerator(
        at: sources.appending(path: module), includingPropertiesForKeys: nil)
      while let file = files?.nextObject() as? URL {
        if file.pathExtension != "swift" { continue }
        let lines = try String(contentsOf: file, encoding: .utf8).split(
          separator: "\n", omittingEmptySubsequences: false)
        lineCount += lines.count
        for (index, line) in lines.enumerated() where !line.contains("//") {
          let found = Self.openingFunctions.filter { line.contains($0) }
          let isOpening =
            !found.isEmpty && !line.contains("insert(contentsOf:")
            && !line.contains("append(contentsOf:")
          #expect(!isOpening, "\(file.lastPathComponent):\(index + 1): \(line)")
        }
      }
    }
    #expect(lineCount > 10_000)
  }
}
