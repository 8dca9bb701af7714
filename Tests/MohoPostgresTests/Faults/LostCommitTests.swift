import Campaigns
import Foundation
import MohoMapping
import MohoRows
import PostgresTesting
import StoreTesting
import Testing

@testable import MohoPostgres

/// Connections that are lost during a commit, and disks that are full.
@Suite(.requiresPostgres)
struct LostCommitTests {
  @Test func `a connection that the server ends before the commit was not committed`() throws {
    let server = try PostgresServer.shared()
    let url = try server.emptySchema()
    let store = try ModelStore(postgres: url, models: Track.self)
    // Deferred triggers run when the transaction ends.
    let connection = try PostgresConnection(url)
    try connection.execute(
      """
      CREATE FUNCTION wait() RETURNS trigger LANGUAGE plpgsql
        AS $$ BEGIN PERFORM pg_sleep(60); RETURN NULL; END $$;
      CREATE CONSTRAINT TRIGGER wait AFTER INSERT ON "Track" DEFERRABLE INITIALLY DEFERRED
        FOR EACH ROW EXECUTE FUNCTION wait()
      """)

    let error = #expect(throws: StoreError.self) {
      try store.write { writer in
        let id = try writer.reader.postgres.connection.processID
        Thread {
          let killer = "SELECT pg_terminate_backend(\(id)) FROM pg_stat_activity"
          let condition = "WHERE pid = \(id) AND wait_event = 'PgSleep'"
          while (try? server.execute("\(killer) \(condition)"))?.isEmpty == true { usleep(1_000) }
        }.start()
        try writer.save(Track.batch(1))
      }
    }

    #expect(error?.code == .connectionLost)
    try connection.execute(#"DROP TRIGGER wait ON "Track""#)
    #expect(try store.fetch(ModelRequest<Track>()) == [])
    try store.write { _ = try $0.save(Track.batch(1)) }
    #expect(try store.fetch(ModelRequest<Track>().order(by: \.id)) == Track.batch(1))
  }

  @Test(
    .enabled(if: Campaign.isRunning, "runs in campaigns"),
    .enabled(if: getuid() == 0, "requires root"))
  func `a full disk is an error and leaves nothing half written`() throws {
    let server = try PostgresServer()
    let folder = server.folder + "/disk"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
    try run("mount", "-t", "tmpfs", "-o", "size=32m,mode=0777", "tmpfs", folder)
    defer { try? run("umount", "--lazy", folder) }
    try run("install", "--directory", "--owner=postgres", folder + "/tables")
    let filler = URL(filePath: folder + "/filler")
    try Data(count: 8 << 20).write(to: filler)
    try server.execute("CREATE TABLESPACE small LOCATION '\(folder)/tables'")
    let url = try server.emptySchema() + "%20-cdefault_tablespace%3Dsmall"
    let store = try ModelStore(postgres: url, models: Track.self)

    var saved = 0
    let error = #expect(throws: StoreError.self) {
      while saved < 1_000 {
        let tracks = (0..<100).flatMap { Track.batch(saved * 100 + $0) }
        try store.write { _ = try $0.save(tracks) }
        saved += 1
      }
    }

    #expect(error?.code == .full, "\(String(describing: error))")
    let count = try store.read { try $0.fetchCount(ModelRequest<Track>()) }
    #expect(count == saved * 1_000)
    try FileManager.default.removeItem(at: filler)
    try store.write { _ = try $0.save(Track.batch(1_000_000)) }
    #expect(
      try store.read { try $0.fetchCount(ModelRequest<Track>()) } == count + Track.countInBatch)
  }

  private func run(_ words: String...) throws {
    let process = Process()
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments = words
    try process.run()
    process.waitUntilExit()
    #expect(process.terminationStatus == 0, "\(words)")
  }
}
