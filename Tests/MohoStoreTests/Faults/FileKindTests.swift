import Fixtures
import Foundation
import GRDB
import MohoMapping
import MohoRows
import MohoSQLite
import StoreTesting
import Testing

/// Tests the errors for paths that are not regular files.
@Suite struct FileKindTests {
  private func open(_ path: String) throws -> ModelStore {
    try ModelStore(path: path, models: Episode.self)
  }

  @Test(arguments: ["/dev/null", "/dev/zero", "/dev/full"])
  func aDeviceIsNoFile(path: String) throws {
    let error = #expect(throws: StoreError.self) { try open(path) }

    #expect(
      error.map { "\($0)" }
        == "not a regular file: the path refers to a device - \(path);"
        + " use the path of a regular file")
    #expect(
      #expect(throws: StoreError.self) {
        try ModelStore.migrationPlan(path: path, models: Episode.self)
      }?.code == .notAFile)
  }

  @Test func aPipeIsNoFile() throws {
    try withStorePath { path in
      #expect(mkfifo(path, 0o600) == 0)

      let error = #expect(throws: StoreError.self) { try open(path) }

      #expect(error?.code == .notAFile)
      #expect(error?.suggestion == "use the path of a regular file")
    }
  }

  @Test func aFolderIsNamed() throws {
    try withStorePath { path in
      let folder = URL(filePath: path).deletingLastPathComponent().path

      let error = #expect(throws: StoreError.self) { try open(folder) }

      #expect(error?.code == .cannotOpen)
      #expect(error?.suggestion == "pass the path of a file in this folder")
    }
  }

  @Test func aHardLinkToAnOpenStoreIsRefused() throws {
    try withStorePath { path in
      let store = try open(path)
      try store.write { try $0.save(Episode.number(1)) }
      try FileManager.default.linkItem(atPath: path, toPath: path + ".link")

      let error = #expect(throws: StoreError.self) { try open(path + ".link") }

      #expect(error?.code == .alreadyOpen)
      #expect(error?.reason == "the file is a hard link to \(path), which is already open")
      #expect(error?.suggestion == "open the store by that path")
      #expect(try store.fetchCount(ModelRequest<Episode>()) == 1)
      #expect(try open(path).fetchCount(ModelRequest<Episode>()) == 1)
    }
  }

  @Test func aHardLinkToAFileThatOtherCodeHasOpenIsRefused() throws {
    try withStorePath { path in
      do { try open(path).write { try $0.save(Episode.number(1)) } }
      let pool = try DatabasePool(path: path)
      try pool.write { try $0.execute(sql: "UPDATE Episode SET title = 'x'") }
      try FileManager.default.linkItem(atPath: path, toPath: path + ".link")

      let error = #expect(throws: StoreError.self) { try open(path + ".link") }

      #expect(error?.code == .alreadyOpen)
      try pool.close()
    }
  }

  @Test func aHardLinkOpensOnceTheStoreIsClosed() throws {
    try withStorePath { path in
      do { try open(path).write { try $0.save(Episode.number(1)) } }
      try FileManager.default.linkItem(atPath: path, toPath: path + ".link")

      #expect(try open(path + ".link").fetchCount(ModelRequest<Episode>()) == 1)
    }
  }

  @Test func aSymbolicLinkToAnOpenStoreOpens() throws {
    try withStorePath { path in
      let store = try open(path)
      try store.write { try $0.save(Episode.number(1)) }
      try FileManager.default.createSymbolicLink(
        atPath: path + ".link", withDestinationPath: path)

      #expect(try open(path + ".link").fetchCount(ModelRequest<Episode>()) == 1)
    }
  }

  @Test func aSymbolicLinkToAMissingFileCreatesTheFile() throws {
    try withStorePath { path in
      try FileManager.default.createSymbolicLink(
        atPath: path + ".link", withDestinationPath: path)

      try open(path + ".link").write { try $0.save(Episode.number(1)) }

      #expect(try open(path).fetchCount(ModelRequest<Episode>()) == 1)
    }
  }

  @Test func aSymbolicLinkToNoFolderIsNamed() throws {
    try withStorePath { path in
      try FileManager.default.createSymbolicLink(
        atPath: path, withDestinationPath: "/no/such/folder/a.sqlite")

      let error = #expect(throws: StoreError.self) { try open(path) }

      #expect(error?.code == .cannotOpen)
      #expect(
        error?.suggestion
          == "check the symbolic link: it leads to /no/such/folder/a.sqlite,"
          + " whose folder must exist and be writable")
    }
  }

  @Test(arguments: [true, false]) func aDamagedLogIsNamed(isDeleted: Bool) throws {
    try withStorePath { path in
      let store = try open(path)
      try store.write { try $0.save((1...2_000).map { Episode.number($0) }) }
      let log = path + "-wal"
      if isDeleted {
        try FileManager.default.removeItem(atPath: log)
      } else {
        #expect(truncate(log, 100) == 0)
      }

      let error = #expect(throws: StoreError.self) { try open(path) }

      #expect(error?.code == .damagedLog)
      #expect(
        error?.reason == "\(log) was deleted or truncated while the store was open")
      #expect(error?.subject == path)
      #expect(error?.suggestion?.hasPrefix("close the store in all programs") == true)
      withExtendedLifetime(store) {}
    }
  }

  @Test func readingFromATruncatedLogNamesIt() throws {
    try withStorePath { path in
      var configuration = StoreConfiguration()
      configuration.cacheSize = 1_024
      let store = try ModelStore(
        path: path, models: Episode.self, configuration: configuration)
      try store.write {
        try $0.save((1...5_000).map { Episode.number($0, title: "\($0) \(UUID())") })
      }
      #expect(truncate(path + "-wal", 100) == 0)

      let error = #expect(throws: StoreError.self) { try store.fetch(ModelRequest<Episode>()) }

      #expect(error?.code == .damagedLog)
      #expect(error?.subject == path)
    }
  }
}
