import Foundation
import GRDB
import MohoJSON
import MohoMapping
import MohoRows
import MohoSQLite

/// The contenders for one feature, without the type of its model.
protocol FeatureContending {
  func contender(_ work: FeatureWork) -> Contender
}

/// The contenders for one feature. The measured time does not include the
/// release of the results.
final class FeatureContenders<Model: FeatureStatus>: FeatureContending {
  private let name: String
  private let documents: StatusDocuments
  private let folder: URL
  private let adapter = JSONAdapter<Model>()
  private var models: [Model] = []
  /// A store with all models, in a file.
  private var filledStore: ModelStore?
  /// The store of the current run, which starts without rows.
  private var newStore: ModelStore?
  /// Computes the totals from the result of the last run, which it retains.
  private var totals: (() throws -> StatusTotals)?

  init(_ name: String, _ documents: StatusDocuments, folder: URL) {
    self.name = name
    self.documents = documents
    self.folder = folder
  }

  func contender(_ work: FeatureWork) -> Contender {
    switch work {
    case .decode:
      contender { [adapter, documents] in
        let models = try adapter.models(from: documents.text)
        return { StatusTotals(counts: models.lazy.map(\.count)) }
      }
    case .encode:
      contender(prepare: makeModels) { [adapter] in
        let text = try adapter.data(from: self.models)
        return {
          // Foundation is independent of the code that is measured.
          let counts = try JSONDecoder().decode([EncodedCount].self, from: text)
          return StatusTotals(counts: counts.lazy.map(\.favourites_count))
        }
      }
    case .save:
      contender(prepare: makeModels, reset: makeNewStore) {
        let store = try self.opened(self.newStore)
        try store.write { try $0.save(self.models) }
        return { try self.totals(in: store) }
      }
    case .saveAgain:
      contender(prepare: makeFilledStore) {
        let store = try self.opened(self.filledStore)
        let report = try store.write { try $0.save(self.models) }
        return {
          guard report.inserted + report.updated == 0 else {
            throw ChecksumMismatch(description: "rows were written again: \(report)")
          }
          return try self.totals(in: store)
        }
      }
    case .fetch:
      contender(prepare: makeFilledStore) {
        let models = try self.opened(self.filledStore).fetch(ModelRequest<Model>())
        return { StatusTotals(counts: models.lazy.map(\.count)) }
      }
    case .partials:
      contender { [adapter, documents] in
        let partials = try adapter.partials(from: documents.text)
        return { StatusTotals(counts: partials.lazy.map { $0[Model.countPath] ?? 0 }) }
      }
    }
  }

  private func contender(
    prepare: @escaping () throws -> Void = {}, reset: @escaping () throws -> Void = {},
    run: @escaping () throws -> () throws -> StatusTotals
  ) -> Contender {
    Contender(
      name: name, prepare: prepare, reset: reset,
      work: { self.totals = try run() },
      checksum: {
        defer { self.totals = nil }
        return try self.totals?().checksum(expected: self.documents.totals) ?? .nan
      })
  }

  private func makeModels() throws {
    if models.isEmpty { models = try adapter.models(from: documents.text) }
  }

  private func makeFilledStore() throws {
    try makeModels()
    if filledStore != nil { return }
    let store = try ModelStore(path: path("filled"), models: Model.self)
    try store.write { try $0.save(models) }
    filledStore = store
  }

  private func makeNewStore() throws {
    try newStore?.writer.close()
    newStore = nil
    for suffix in ["", "-wal", "-shm"] {
      try? FileManager.default.removeItem(atPath: path("new") + suffix)
    }
    newStore = try ModelStore(path: path("new"), models: Model.self)
  }

  private func path(_ state: String) -> String {
    folder.appending(path: "\(name)-\(state).sqlite").path
  }

  private func opened(_ store: ModelStore?) throws -> ModelStore {
    guard let store else { throw ChecksumMismatch(description: "the store is not open") }
    return store
  }

  private func totals(in store: ModelStore) throws -> StatusTotals {
    try store.writer.read { database in
      let sql = #"SELECT "count" FROM "\#(Model.mapping.name)""#
      return StatusTotals(counts: try Int.fetchAll(database, sql: sql))
    }
  }
}

extension FeatureContenders<BaseStatus> {
  /// Saves the models, and inserts their texts into a full-text table, with one
  /// statement for each row.
  var contenderWithIndexedTexts: Contender {
    contender(
      prepare: makeModels,
      reset: {
        try self.makeNewStore()
        try self.newStore?.writer.write { database in
          try database.execute(
            sql: """
              CREATE VIRTUAL TABLE words USING fts5(c0, tokenize="unicode61 remove_diacritics 2")
              """)
        }
      },
      run: {
        let store = try self.opened(self.newStore)
        try store.write { writer in
          try writer.save(self.models)
          try store.writer.unsafeReentrantWrite { database in
            let insertion = try database.makeStatement(
              sql: "INSERT INTO words (rowid, c0) VALUES (?, ?)")
            for (row, model) in self.models.enumerated() {
              try insertion.execute(arguments: [row + 1, model.text])
            }
          }
        }
        return { try self.totals(in: store) }
      })
  }
}

private struct EncodedCount: Decodable {
  let favourites_count: Int
}
