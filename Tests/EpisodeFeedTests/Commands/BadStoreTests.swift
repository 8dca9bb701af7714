import CommandTesting
import EpisodeFeed
import Foundation
import GRDB
import Moho
import Testing

/// Stores that cannot be opened, and files and episodes that do not exist.
@Suite struct BadStoreTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func expect(
    _ arguments: String..., prefix: [String] = [], status: Int32, errors: String,
    location: SourceLocation = #_sourceLocation
  ) async throws {
    let result = try await Tool.episodeFeed.run(arguments, in: folder, prefix: prefix)
    #expect(result.status == status, sourceLocation: location)
    #expect(result.output == "", sourceLocation: location)
    #expect(result.errors == errors, sourceLocation: location)
  }

  @Test func aFileThatIsNotAStoreIsNotChanged() async throws {
    let text = Data(String(repeating: "no store\n", count: 200).utf8)
    let path = try folder.file("notes.txt", text)
    _ = try folder.file("feed.json", ScreencastItem.three.data)

    for command in [["list"], ["import", "feed.json"]] {
      let result = try await Tool.episodeFeed.run(command + ["--store", "notes.txt"], in: folder)
      #expect(result.status == 73)
      #expect(
        result.errors == """
          Error: notes.txt: not a SQLite database: file is not a database
          Choose another file with --store. This file was not changed.

          """)
    }
    #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == text)
  }

  @Test func aDatabaseWithForeignTablesIsNotChanged() async throws {
    let queue = try DatabaseQueue(path: folder.path("other.sqlite"))
    try await queue.write { try $0.execute(sql: "CREATE TABLE Episode (id INTEGER)") }

    let result = try await Tool.episodeFeed.run(["list", "--store", "other.sqlite"], in: folder)

    #expect(result.status == 73)
    #expect(
      result.errors.hasPrefix(
        """
        Error: other.sqlite: the tables do not match this program
          `Episode.id` is INTEGER in the table, TEXT in the model

        """))
    #expect(try await queue.read { try $0.columns(in: "Episode").map(\.name) } == ["id"])
  }

  @Test func anInvalidRowIsReportedWithItsPath() async throws {
    let store = try folder.store()
    try EpisodeImporter(store).import(Feed(reading: ScreencastItem.three.data))
    try await store.writer.write {
      try $0.execute(sql: "UPDATE Episode SET kind = 'series' WHERE id = '114'")
    }

    try await expect(
      "list", "--store", "store.sqlite", status: 65,
      errors: """
        Error: the store has a row that cannot be read
          invalid value: string "series", expected one of "free", "paid" - `Episode.kind` \
        at /Episode/2/kind
        Correct the row, or choose another store with --store.

        """)
  }

  @Test func aLockedStoreIsReportedWithARetryStatus() async throws {
    let store = try folder.store()
    try EpisodeImporter(store).import(Feed(reading: ScreencastItem.three.data))
    let before = try await store.fetch(EpisodeList().request)
    _ = try folder.file("feed.json", jsonFeed(#"{"id": "1"}"#))
    var configuration = Configuration()
    configuration.allowsUnsafeTransactions = true
    let locker = try DatabaseQueue(
      path: folder.path("store.sqlite"), configuration: configuration)
    try locker.inDatabase { try $0.execute(sql: "BEGIN IMMEDIATE") }

    try await expect(
      "import", "feed.json", "--store", "store.sqlite", "--lock-timeout", "0.05", status: 75,
      errors: """
        Error: store.sqlite: the store is locked: database is locked
        Close the program that uses it and try again, or use a longer --lock-timeout.

        """)
    let list = try await Tool.episodeFeed.run(["list", "--store", "store.sqlite"], in: folder)

    #expect(list.status == 0)
    #expect(try await store.fetch(EpisodeList().request) == before)
  }

  @Test(.enabled(if: UnprivilegedUser.isAvailable, "requires a user who is not root"))
  func aReadOnlyStoreIsNotChanged() async throws {
    do {
      let store = try folder.store()
      try EpisodeImporter(store).import(Feed(reading: ScreencastItem.three.data))
      try await store.writer.writeWithoutTransaction { _ = try $0.checkpoint(.truncate) }
    }
    let data = try Data(contentsOf: folder.url.appending(path: "store.sqlite"))
    _ = try folder.file("feed.json", jsonFeed(#"{"id": "1"}"#))
    try setMode(0o444, "store.sqlite")
    try setMode(0o555, "")
    defer { try? setMode(0o755, "") }

    // The command writes to files that are open already.
    let result = try await UnprivilegedUser.run(
      ["import", "feed.json", "--store", "store.sqlite"], in: folder)

    #expect(result.status == 73)
    #expect(
      result.errors == """
        Error: store.sqlite: the store is read-only: attempt to write a readonly database
        Make the file and its folder writable, or choose another with --store.

        """)
    #expect(try Data(contentsOf: folder.url.appending(path: "store.sqlite")) == data)
  }

  private func setMode(_ mode: Int, _ name: String) throws {
    try FileManager.default.setAttributes(
      [.posixPermissions: mode], ofItemAtPath: folder.path(name))
  }

  @Test func missingFilesAndEpisodesAreReported() async throws {
    try await expect(
      "list", "--store", "none.sqlite", status: 66,
      errors: """
        Error: none.sqlite: store not found
        Create one with `episode-feed import FILE`, or choose another with --store.

        """)
    #expect(!FileManager.default.fileExists(atPath: folder.path("none.sqlite")))
    try await expect(
      "import", "none.json", status: 66,
      errors: """
        Error: none.json: cannot be read: no such file
        Check the path and the permissions of the file.

        """)
    try await expect(
      "import", ".", status: 66,
      errors: """
        Error: .: cannot be read: it is a folder
        Check the path and the permissions of the file.

        """)
    _ = try folder.store()
    try await expect(
      "show", "9", "--store", "store.sqlite", status: 66,
      errors: """
        Error: episode "9" does not exist
        Use `episode-feed list` to see the ids.

        """)
    try await expect(
      "export", "--store", "store.sqlite", status: 66,
      errors: """
        Error: the store has no episodes
        Use `episode-feed list --sections podcast` to see the podcasts.

        """)
    _ = try folder.file("feed.json", ScreencastItem.three.data)
    try await expect(
      "import", "feed.json", "--store", "none/store.sqlite", status: 73,
      errors: """
        Error: none/store.sqlite: cannot open the store: unable to open database file
        Check that its folder exists and is writable, or choose another with --store.

        """)
  }
}
