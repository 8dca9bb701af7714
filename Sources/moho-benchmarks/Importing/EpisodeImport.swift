import CFloors
import Foundation
import GRDB
import MohoJSON
import MohoStore

/// Saves episodes into a store in a file, in one transaction: Moho, and a C
/// program with the same upsert and the same settings of SQLite. The checksum is
/// the number of rows that are written.
final class EpisodeImport {
  /// What is stored before.
  enum State: String, CaseIterable {
    case empty = "into an empty table"
    case unchanged = "all of them stored already"
    case changed = "all of them stored already, every tenth changed"
  }

  private let input: FeedInput
  private let state: State
  private let folder: URL
  private var store: ModelStore?
  private var upsert = ""
  private lazy var floors = FloorEpisodes(models)
  private lazy var models: [FeedEpisode] = input.models.map { model in
    var model = model
    if state == .changed, model.id % 10 == 0 { model.title += ", once more" }
    return model
  }

  init(input: FeedInput, state: State, folder: URL) {
    self.input = input
    self.state = state
    self.folder = folder
  }

  var contenders: [Contender] {
    [
      Contender(
        name: "Moho", prepare: { try self.prepare(models: true) },
        reset: { try self.reset(isOpen: true) }
      ) {
        guard let store = self.store else { return .nan }
        let report = try store.write { try $0.save(self.models) }
        return Double(report.inserted + report.updated)
      },
      Contender(
        name: "C, the same upsert",
        prepare: {
          try self.prepare(models: true)
          _ = self.floors
        }, reset: { try self.reset(isOpen: false) }
      ) {
        self.floors.withRows { rows in
          Double(floor_import(self.work.path, self.upsert, rows.baseAddress, rows.count))
        }
      },
    ]
  }

  /// The same from JSON, without holding it or the episodes.
  var streamingContenders: [Contender] {
    [
      Contender(
        name: "Moho, streamed from a file", prepare: { try self.prepare(models: false) },
        reset: { try self.reset(isOpen: true) }
      ) {
        guard let store = self.store else { return .nan }
        let file = try FileHandle(forReadingFrom: self.input.file)
        defer { try? file.close() }
        var elements = JSONAdapter<FeedEpisode>().elements(from: file)
        let report = try store.write { writer in
          var report = SaveReport()
          var batch: [FeedEpisode] = []
          while let element = try elements.next() {
            batch.append(try element.model)
            if batch.count < 1_000 { continue }
            report = try report + writer.save(batch)
            batch.removeAll(keepingCapacity: true)
          }
          return try report + writer.save(batch)
        }
        return Double(report.inserted + report.updated)
      },
      Contender(
        name: "C, Jansson and the same upsert", prepare: { try self.prepare(models: false) },
        reset: { try self.reset(isOpen: false) }
      ) {
        self.input.data.withUnsafeBytes { bytes in
          Double(floor_import_json(self.work.path, self.upsert, bytes.baseAddress, bytes.count))
        }
      },
    ]
  }

  private var origin: URL { folder.appending(path: "origin-\(state)-\(input.count).sqlite") }
  private var work: URL { folder.appending(path: "work.sqlite") }

  /// Makes the file that each run begins with, and the input.
  private func prepare(models: Bool) throws {
    _ = models ? Data() : input.data
    if models { _ = self.models }
    if !upsert.isEmpty { return }
    try? FileManager.default.removeItem(at: origin)
    let store = try ModelStore(path: origin.path, models: FeedEpisode.self)
    store.writer.unsafeReentrantWrite { database in
      database.trace { [weak self] event in
        if case .statement(let statement) = event, statement.sql.hasPrefix("INSERT") {
          self?.upsert = statement.sql
        }
      }
    }
    try store.write { try $0.save(FeedEpisode(number: 0)) }
    store.writer.unsafeReentrantWrite { $0.trace(nil) }
    if state == .empty {
      try store.write { _ = try $0.delete([FeedEpisode(number: 0)]) }
    } else {
      try store.write { try $0.save(input.models) }
    }
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
    if isOpen { store = try ModelStore(path: work.path, models: FeedEpisode.self) }
  }
}
