import CFloors
import Foundation
import GRDB
import MohoJSON
import MohoMapping
import MohoRows
import MohoSQLite

/// Saves episodes by GUID into a store in a file, in one transaction: Moho,
/// GRDB, and a C program with the same upsert and the same SQLite settings. The
/// checksum covers the contents of the store afterwards.
final class EpisodeImport {
  /// The contents of the store before a run.
  enum State: String {
    case empty = "into an empty table"
    case unchanged = "all rows already stored"
    case changed = "all rows already stored, every tenth changed"
  }

  private let input: FeedInput
  private let state: State
  private let folder: URL
  private var store: ModelStore?
  private var settings = ""
  private lazy var floors = FloorEpisodes(models.map(\.episode))
  private lazy var records = models.map { FeedRecord($0.episode) }
  private lazy var models: [GuidEpisode] = input.models.map { episode in
    var episode = episode
    if state == .changed, episode.id % 10 == 0 { episode.title += ", once more" }
    return GuidEpisode(episode: episode)
  }

  /// The statement of the store without its functions, which other connections
  /// do not have: it updates a row only if a value differs.
  private static let upsert: String = {
    let columns = GuidEpisode.mapping.keys.map { #""\#($0.name)""# }
    let values = columns.filter { $0 != #""guid""# }
    return """
      INSERT INTO "\(GuidEpisode.mapping.name)" AS "stored" (\(columns.joined(separator: ", "))) \
      VALUES (\(columns.map { _ in "?" }.joined(separator: ", "))) \
      ON CONFLICT ("guid") DO UPDATE SET \
      \(values.map { "\($0) = excluded.\($0)" }.joined(separator: ", ")) \
      WHERE \(values.map { #""stored".\#($0) IS NOT excluded.\#($0)"# }.joined(separator: " OR "))
      """
  }()

  init(input: FeedInput, state: State, folder: URL) {
    self.input = input
    self.state = state
    self.folder = folder
  }

  var contenders: [Contender] {
    [
      contender("Moho") {
        _ = self.models
      } run: { store in
        let report = try store.write { try $0.save(self.models) }
        try self.check(report.inserted + report.updated)
      },
      cUpsert,
      contender("GRDB, upsert") {
        _ = self.records
      } run: { store in
        try store.writer.write { database in
          for record in self.records { try record.upsert(database) }
        }
      },
    ]
  }

  /// A C program that writes values that are already in memory.
  private var cUpsert: Contender {
    contender("C, the same upsert", isOpen: false) {
      _ = self.floors
    } run: {
      let written = self.floors.withRows { rows in
        floor_import(self.work.path, self.settings, Self.upsert, rows.baseAddress, rows.count)
      }
      try self.check(floorCount: written)
    }
  }

  /// The contenders that read the episodes from JSON.
  var streamingContenders: [Contender] {
    [
      contender("Moho, without models") {
        _ = self.input.data
      } run: { store in
        let fields = JSONAdapter<GuidEpisode>().fields(from: self.input.data)
        let report = try store.write { try $0.save(decoding: fields) }
        try self.check(report.inserted + report.updated)
      },
      contender("Moho, with models") {
        _ = self.input.data
      } run: { store in
        let models = try JSONAdapter<GuidEpisode>().models(from: self.input.data)
        let report = try store.write { try $0.save(models) }
        try self.check(report.inserted + report.updated)
      },
      streamed,
      cUpsert,
      contender("C, Jansson and the same upsert", isOpen: false) {
        _ = self.input.data
      } run: {
        let written = self.input.data.withUnsafeBytes { bytes in
          floor_import_json(
            self.work.path, self.settings, Self.upsert, bytes.baseAddress, bytes.count)
        }
        try self.check(floorCount: written)
      },
      contender("JSONDecoder, and GRDB's upsert") {
        _ = self.input.data
      } run: { store in
        let episodes = try FeedInput.decoder.decode([CodableEpisode].self, from: self.input.data)
        try store.writer.write { database in
          for episode in episodes { try FeedRecord(episode.model).upsert(database) }
        }
      },
    ]
  }

  /// Moho with bounded memory: it reads the file in chunks and saves in
  /// batches.
  var streamed: Contender {
    contender("Moho, streamed from a file") {
      if !FileManager.default.fileExists(atPath: self.input.file.path) { _ = self.input.data }
    } run: { store in
      let file = try FileHandle(forReadingFrom: self.input.file)
      defer { try? file.close() }
      var elements = JSONAdapter<GuidEpisode>().elements(from: file)
      let report = try store.write { writer in
        var report = SaveReport()
        var batch: [GuidEpisode] = []
        while let element = try elements.next() {
          batch.append(try element.model)
          if batch.count < 1_000 { continue }
          report = try report + writer.save(batch)
          batch.removeAll(keepingCapacity: true)
        }
        return try report + writer.save(batch)
      }
      try self.check(report.inserted + report.updated)
    }
  }

  private func contender(
    _ name: String, prepare: @escaping () throws -> Void,
    run: @escaping (ModelStore) throws -> Void
  ) -> Contender {
    contender(name, isOpen: true, prepare: prepare) {
      if let store = self.store { try run(store) }
    }
  }

  private func contender(
    _ name: String, isOpen: Bool, prepare: @escaping () throws -> Void,
    run: @escaping () throws -> Void
  ) -> Contender {
    Contender(
      name: name,
      prepare: {
        try prepare()
        try self.makeOrigin()
      }, reset: { try self.reset(isOpen: isOpen) }, work: run, checksum: { try self.checksum })
  }

  /// Throws an error if the number of written rows is wrong.
  private func check(_ written: Int) throws {
    let expected =
      switch state {
      case .empty: input.count
      case .unchanged: 0
      case .changed: (input.count + 9) / 10
      }
    guard written == expected else {
      throw ChecksumMismatch(description: "\(written) rows were written, not \(expected)")
    }
  }

  /// Throws an error if a C floor failed or wrote another number of rows.
  private func check(floorCount written: Int64) throws {
    guard written >= 0 else { throw ChecksumMismatch(description: floorFailure) }
    try check(Int(written))
  }

  private var checksum: Double {
    get throws {
      try DatabaseQueue(path: work.path).read { database in
        try Double.fetchOne(
          database,
          sql: """
            SELECT total("id" + length("guid") + length("title") + length("summary")
              + length("author") + "publishedAt" + "number" + ifnull("season", -1)
              + "isExplicit" + "duration" + "rating" + length("mediaURL") + "mediaSize")
            FROM "FeedEpisode"
            """) ?? .nan
      }
    }
  }

  private var origin: URL { folder.appending(path: "origin-\(state)-\(input.count).sqlite") }
  private var work: URL { folder.appending(path: "work.sqlite") }

  /// Creates the file that each run starts with.
  private func makeOrigin() throws {
    if !settings.isEmpty { return }
    try? FileManager.default.removeItem(at: origin)
    let store = try ModelStore(path: origin.path, models: GuidEpisode.self)
    settings = try store.settings
    if state != .empty { try store.write { try $0.save(input.models) } }
    try store.writer.writeWithoutTransaction { _ = try $0.checkpoint(.truncate) }
    try store.writer.close()
  }

  private func reset(isOpen: Bool) throws {
    try store?.writer.close()
    store = nil
    for suffix in ["", "-wal", "-shm"] {
      try? FileManager.default.removeItem(atPath: work.path + suffix)
    }
    try FileManager.default.copyItem(at: origin, to: work)
    if isOpen { store = try ModelStore(path: work.path, models: GuidEpisode.self) }
  }
}
