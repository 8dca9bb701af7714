import CommandTesting
import Fixtures
import Foundation
import GRDB
import MohoMapping
import MohoRows
import MohoSQLite
import Testing

/// The table of the article about what others can do with the file of an open store. Each row has
/// a test.
@Suite struct FileIdentityTests {
  private struct Situation: Sendable {
    let event: String
    let outcome: String
    let check: @Sendable (_ path: String) throws -> Void
  }

  private static var files: FileManager { .default }

  private static func open(_ path: String, isReadOnly: Bool = false) throws -> ModelStore {
    var configuration = StoreConfiguration(isReadOnly: isReadOnly)
    configuration.logCheckInterval = 0
    return try ModelStore(path: path, models: Episode.self, configuration: configuration)
  }

  private static func count(_ store: ModelStore) throws -> Int {
    try store.fetchCount(ModelRequest<Episode>())
  }

  /// A store with ten rows, whose file and log something happens to.
  private static func afterSaving(
    _ code: StoreError.Code, _ damage: @escaping @Sendable (String) throws -> Void
  ) -> @Sendable (String) throws -> Void {
    { path in
      let store = try open(path)
      try store.write { try $0.save((1...10).map { Episode.number($0) }) }
      try damage(path)

      for _ in 0..<2 {
        let error = #expect(throws: StoreError.self) {
          try store.write { try $0.save(Episode.number(11)) }
        }
        #expect(error?.code == code)
      }
      // Pages of a truncated log may be in the cache.
      let log = try? files.attributesOfItem(atPath: path + "-wal")
      if (log?[.size] as? NSNumber)?.intValue != 0 { #expect(try count(store) == 10) }
    }
  }

  private static let situations = [
    Situation(
      event: "several stores of the process open the file",
      outcome: "each reads the commits of the others"
    ) { path in
      let stores = try [open(path), open(path)]
      try stores[0].write { try $0.save((1...10).map { Episode.number($0) }) }
      #expect(try count(stores[1]) == 10)
      try stores[1].write { try $0.save(Episode.number(11)) }
      #expect(try stores.map(count) == [11, 11])
    },
    Situation(
      event: "several processes open the file",
      outcome: "each reads the commits of the others"
    ) { path in
      let store = try open(path)
      try store.write { try $0.save(Episode.number(1)) }
      #expect(try KillableProgram(["save", "0", "2"], store: path).lines().status == 0)
      let tracks = try store.writer.read {
        try Int.fetchOne($0, sql: "SELECT count(*) FROM Track")
      }
      #expect(tracks == 20)
      try store.write { try $0.save(Episode.number(2)) }
      #expect(try count(open(path)) == 2)
    },
    Situation(
      event: "a store opens the file for reading only",
      outcome: "it reads the commits of others; its writes throw `readOnly`"
    ) { path in
      let store = try open(path)
      let reader = try open(path, isReadOnly: true)
      try store.write { try $0.save(Episode.number(1)) }
      #expect(try count(reader) == 1)
      let error = #expect(throws: StoreError.self) {
        try reader.write { try $0.save(Episode.number(2)) }
      }
      #expect(error?.code == .readOnly)
    },
    Situation(
      event: "a store opens a symbolic link to the file", outcome: "it uses the file and its log"
    ) { path in
      let store = try open(path)
      try files.createSymbolicLink(atPath: path + ".link", withDestinationPath: path)
      try open(path + ".link").write { try $0.save(Episode.number(1)) }
      #expect(try count(store) == 1)
      #expect(!files.fileExists(atPath: path + ".link-wal"))
    },
    Situation(
      event: "a store opens a hard link to the file, which a store of the process has open",
      outcome: "opening throws `alreadyOpen`"
    ) { path in
      let store = try open(path)
      try store.write { try $0.save(Episode.number(1)) }
      try files.linkItem(atPath: path, toPath: path + ".link")
      let error = #expect(throws: StoreError.self) { try open(path + ".link") }
      #expect(error?.code == .alreadyOpen)
      #expect(try count(store) == 1)
    },
    Situation(
      event: "a store opens a hard link to the file, which is not open",
      outcome: "it uses the file, with a log at the path of the link"
    ) { path in
      do { try open(path).write { try $0.save(Episode.number(1)) } }
      try files.linkItem(atPath: path, toPath: path + ".link")
      #expect(try count(open(path + ".link")) == 1)
    },
    Situation(
      event: "the file is renamed", outcome: "writes throw `replaced`; reads go on",
      check: afterSaving(.replaced) { try files.moveItem(atPath: $0, toPath: $0 + ".new") }),
    Situation(
      event: "the file is deleted", outcome: "writes throw `replaced`; reads go on",
      check: afterSaving(.replaced) { try files.removeItem(atPath: $0) }),
    Situation(
      event: "another file takes the path of the file",
      outcome: "writes throw `replaced`; reads go on",
      check: afterSaving(.replaced) { path in
        try files.copyItem(atPath: path, toPath: path + ".new")
        #expect(rename(path + ".new", path) == 0)
      }),
    Situation(
      event: "the log is deleted or replaced",
      outcome:
        "writes throw `damagedLog`; closing the store saves the commits, if no other program opens the file",
      check: { path in
        try afterSaving(.damagedLog) { try files.removeItem(atPath: $0 + "-wal") }(path)
        #expect(try count(open(path)) == 10)
      }),
    Situation(
      event: "the log is truncated",
      outcome: "writes throw `damagedLog`; the commits of the log are lost",
      check: { path in
        try afterSaving(.damagedLog) { #expect(truncate($0 + "-wal", 0) == 0) }(path)
        #expect(try count(open(path)) == 0)
      }),
    Situation(
      event: "the file is copied without its log",
      outcome: "the copy lacks the commits of the log"
    ) { path in
      let store = try open(path)
      try store.write { try $0.save(Episode.number(1)) }
      try files.copyItem(atPath: path, toPath: path + ".copy")
      #expect(try count(open(path + ".copy")) == 0)
      withExtendedLifetime(store) {}
    },
    Situation(
      event: "the file and its log are copied while nothing is written",
      outcome: "the copy has all commits"
    ) { path in
      let store = try open(path)
      try store.write { try $0.save(Episode.number(1)) }
      // SQLite drops its locks when the process closes the file.
      for suffix in ["", "-wal"] {
        let copy = Process()
        copy.executableURL = URL(filePath: "/bin/cp")
        copy.arguments = [path + suffix, path + ".copy" + suffix]
        try copy.run()
        copy.waitUntilExit()
      }
      #expect(try count(open(path + ".copy")) == 1)
      withExtendedLifetime(store) {}
    },
    Situation(
      event: "`VACUUM INTO` copies the file while a store writes",
      outcome: "the copy has all commits before the statement"
    ) { path in
      let store = try open(path)
      try store.write { try $0.save(Episode.number(1)) }
      let other = try DatabaseQueue(path: path)
      try store.write { writer in
        try writer.save(Episode.number(2))
        try other.vacuum(into: path + ".copy")
      }
      #expect(try count(open(path + ".copy")) == 1)
    },
    Situation(
      event: "the process starts another program",
      outcome: "the program does not inherit the open files"
    ) { path in
      let store = try open(path)
      try store.write { try $0.save(Episode.number(1)) }
      let folder = "/proc/self/fd"
      let descriptors = (try? files.contentsOfDirectory(atPath: folder)) ?? []
      let open = descriptors.filter {
        (try? files.destinationOfSymbolicLink(atPath: "\(folder)/\($0)"))?.hasPrefix(path) == true
      }.compactMap { Int32($0) }
      #expect(!open.isEmpty || !files.fileExists(atPath: folder))
      #expect(open.allSatisfy { fcntl($0, F_GETFD) & FD_CLOEXEC != 0 })
      withExtendedLifetime(store) {}
    },
  ]

  @Test(arguments: situations.indices)
  func aFileHasTheDocumentedOutcome(index: Int) throws {
    try withStorePath { path in try Self.situations[index].check(path) }
  }

  @Test func theArticleHasTheTable() throws {
    let path = URL(filePath: #filePath).deletingLastPathComponent()
      .appending(path: "../../../Sources/MohoSQLite/MohoSQLite.docc/OpeningAndMigrating.md")
    let text = try String(contentsOf: path, encoding: .utf8)
    let rows = text.split(separator: "\n").drop { $0 != "### The file of an open store" }
      .drop { !$0.hasPrefix("|---") }.dropFirst()
      .prefix { $0.hasPrefix("|") }.map(String.init)

    #expect(rows == Self.situations.map { "| \($0.event) | \($0.outcome) |" })
  }
}
