import CPostgresFloors
import Foundation
import MohoPostgres
import MohoRows
import PostgresTesting

/// Saves and fetches episodes: Moho, a C program on libpq that uses `COPY` and
/// binary results, and Python programs.
final class PostgresTransfers {
  private let server: PostgresServer
  private let url: String
  private let store: ModelStore
  private let floor: OpaquePointer
  private let models: [GuidEpisode]
  private let floors: FloorEpisodes
  private let peers: [(name: String, program: PostgresPeer)]

  /// - Throws: An error if `requiresPeers` and a Python module is not installed.
  init(count: Int, _ server: PostgresServer, folder: URL, requiresPeers: Bool) throws {
    self.server = server
    let url = try server.emptySchema()
    self.url = url
    store = try ModelStore(postgres: url, models: GuidEpisode.self)
    guard let floor = postgres_floor_open(url) else {
      throw ChecksumMismatch(description: "the C program cannot connect")
    }
    self.floor = floor
    models = (0..<count).map { GuidEpisode(episode: FeedEpisode(number: $0)) }
    floors = FloorEpisodes(models.map(\.episode))
    peers = try [("psycopg", "psycopg 3"), ("asyncpg", "asyncpg")].compactMap { module, name in
      let peer = try PostgresPeer(module: module, url: url, count: count, folder: folder)
      guard peer != nil || !requiresPeers else {
        throw ChecksumMismatch(description: "the Python module `\(module)` is not installed")
      }
      return peer.map { (name, $0) }
    }
  }

  deinit { postgres_floor_close(floor) }

  /// - Parameter isEmpty: Whether the table is empty before each run.
  func imports(isEmpty: Bool) -> [Contender] {
    let moho = importing("Moho", isEmpty) {
      let report = try self.store.write { try $0.save(self.models) }
      return report.inserted + report.updated
    }
    let c = importing("C, COPY and upsert", isEmpty) {
      Int(self.floors.withRows { postgres_floor_import(self.floor, $0.baseAddress, $0.count) })
    }
    return [moho, c]
      + (isEmpty
        ? peers.map { name, program in
          importing("\(name), COPY and upsert", isEmpty) { Int(try program.run("import")) }
        } : [])
  }

  private func importing(
    _ name: String, _ isEmpty: Bool, _ run: @escaping () throws -> Int
  ) -> Contender {
    Contender(
      name: name,
      reset: {
        if isEmpty { try self.execute(#"TRUNCATE "FeedEpisode""#) }
        try self.execute("CHECKPOINT")
      },
      work: {
        let written = try run()
        guard written == (isEmpty ? self.models.count : 0) else {
          throw ChecksumMismatch(description: "\(name) has written \(written) rows")
        }
      }, checksum: { try self.checksum() })
  }

  private func checksum() throws -> Double {
    let rows = try AdministratorConnection(url).execute(
      """
      SELECT round(sum(id + octet_length(guid) + octet_length(title) + octet_length(summary)
        + octet_length(author) + number + coalesce(season, -1) + "isExplicit"::int
        + duration::numeric + rating::numeric + octet_length("mediaURL") + "mediaSize"
        + extract(epoch FROM "publishedAt")))::text FROM "FeedEpisode"
      """)
    return rows.first?.first.flatMap { $0 }.flatMap { Double($0) } ?? .nan
  }

  private func execute(_ sql: String) throws { try AdministratorConnection(url).execute(sql) }

  /// The contenders that read all rows, which must have been imported.
  var fetches: [Contender] {
    let moho = Contender(
      name: "Moho", work: { self.fetched = try self.store.fetch(ModelRequest<GuidEpisode>()) },
      checksum: {
        defer { self.fetched = [] }
        return self.rounded(self.fetched.reduce(0) { $0 + $1.episode.checksum })
      })
    let c = Contender(name: "C, binary results") {
      self.rounded(postgres_floor_fetch(self.floor))
    }
    let others = peers.map { name, program in
      Contender(
        name: name, work: { _ = try program.run("fetch") },
        checksum: { self.rounded(try program.run("sum")) })
    }
    return [moho, c] + others
  }

  private var fetched: [GuidEpisode] = []

  /// The contenders add the numbers in different orders.
  private func rounded(_ sum: Double) -> Double { (sum / 1_000).rounded() }
}
