import Dispatch
import Foundation
import GRDB
import MohoChanges
import MohoJSON
import MohoMapping
import MohoResults
import MohoRows
import MohoSQLite
import Synchronization

/// The work of an app for a microblog: Moho, Foundation, tables written by hand
/// with GRDB, and simdjson. The measured time does not include the checksum.
final class Microblog {
  static let floor = "C++, simdjson On-Demand into structs"
  static let decoder = "JSONDecoder, Codable"
  static let encoder = "JSONEncoder, Codable"
  static let importer = "GRDB, tables by hand, with JSONDecoder"

  let document: MicroblogDocument
  private let changed: MicroblogDocument
  private let folder: URL
  private let adapter = MicroblogDocument.adapter
  private let newest = ModelRequest<MicroblogStatus>().order(by: \.createdAt, .descending)

  private var models: [MicroblogStatus] = []
  private var codables: [CodableMicroblogStatus] = []
  private var floor: FloorStatuses?
  private var output = Data()
  private var store: ModelStore?
  private var controller: ResultsController<MicroblogStatus>?
  private var database: MicroblogDatabase?
  private var following: Following?

  init(_ document: MicroblogDocument, folder: URL) throws {
    self.document = document
    self.folder = folder
    changed = try document.changed()
  }

  func contenders(_ work: MicroblogWork) -> [Contender] {
    switch work {
    case .decode: decoding
    case .encode: encoding
    case .importNew: importing(document, writing: nil)
    case .importAgain: importing(document, writing: 0)
    case .importChanged: importing(changed, writing: (document.count + 99) / 100)
    case .fetch: fetching
    case .page: paging
    case .change: changing
    }
  }

  private var decoding: [Contender] {
    [
      Contender(
        name: "Moho",
        work: { self.models = try self.adapter.models(from: self.document.text) },
        checksum: takeModels),
      Contender(
        name: Self.floor,
        prepare: { self.floor = FloorStatuses(self.document) },
        work: { try self.opened(self.floor).decode() },
        checksum: { try Self.checksum(self.opened(self.floor).takeChecksum()) }),
      Contender(
        name: Self.decoder,
        work: { self.codables = try self.decodedDocument(self.document) },
        checksum: takeCodables),
    ]
  }

  private var encoding: [Contender] {
    func checksum() throws -> Double {
      Self.checksum(
        try CodableMicroblogStatus.decoder.decode([CodableMicroblogStatus].self, from: output))
    }
    return [
      Contender(
        name: "Moho",
        reset: {
          if self.models.isEmpty { self.models = try self.adapter.models(from: self.document.text) }
        },
        work: { self.output = try self.adapter.data(from: self.models) },
        checksum: checksum),
      Contender(
        name: Self.encoder,
        reset: {
          if self.codables.isEmpty { self.codables = try self.decodedDocument(self.document) }
        },
        work: { self.output = try CodableMicroblogStatus.encoder.encode(self.codables) },
        checksum: checksum),
    ]
  }

  /// - Parameters:
  ///   - document: The imported document.
  ///   - limit: The maximum number of rows that Moho writes again if the
  ///     statuses are stored already. `nil` for an import into a new store.
  private func importing(_ document: MicroblogDocument, writing limit: Int?) -> [Contender] {
    let isFilled = limit != nil
    return [
      Contender(
        name: "Moho",
        reset: {
          try self.openStore(isNew: !isFilled)
          if isFilled { _ = try self.importDocument(self.document) }
        },
        work: {
          let report = try self.importDocument(document)
          guard report.inserted + report.updated <= limit ?? .max else {
            throw ChecksumMismatch(description: "rows were written again: \(report)")
          }
        },
        checksum: {
          Self.checksum(try self.opened(self.store).fetch(ModelRequest<MicroblogStatus>()).checksum)
        }),
      Contender(
        name: Self.importer,
        reset: {
          try self.openDatabase(isNew: !isFilled)
          if isFilled { try self.database?.save(self.decodedDocument(self.document)) }
        },
        work: { try self.database?.save(self.decodedDocument(document)) },
        checksum: { Self.checksum(try self.opened(self.database).fetchAll()) }),
    ]
  }

  private var fetching: [Contender] {
    [
      Contender(
        name: "Moho", prepare: fillStore,
        work: { self.models = try self.opened(self.store).fetch(ModelRequest<MicroblogStatus>()) },
        checksum: takeModels),
      Contender(
        name: "GRDB, tables by hand", prepare: fillDatabase,
        work: { self.codables = try self.opened(self.database).fetchAll() },
        checksum: takeCodables),
    ]
  }

  private var paging: [Contender] {
    [
      Contender(
        name: "Moho", prepare: fillStore,
        work: { self.models = try self.opened(self.store).fetch(self.newest.limit(40)) },
        checksum: takeModels),
      Contender(
        name: "GRDB, tables by hand", prepare: fillDatabase,
        work: {
          let database = try self.opened(self.database)
          self.codables = try database.pool.read(database.fetchPage)
        },
        checksum: takeCodables),
    ]
  }

  /// Each run adds a favorite to the newest status, and reads it from the list.
  /// The checksum is the difference from the written number.
  private var changing: [Contender] {
    [
      Contender(
        name: "Moho, a list of all statuses",
        prepare: {
          try self.fillStore()
          let store = try self.opened(self.store)
          self.controller = try ResultsController(self.newest, in: store)
          self.models = try store.fetch(self.newest.limit(1))
        },
        reset: { self.models[0].counts.favorites += 1 },
        run: {
          try self.opened(self.store).write { _ = try $0.save(self.models[0]) }
          let snapshot = try self.opened(self.controller).snapshot
          let newest = try snapshot.model(at: RowPath(section: 0, row: 0))
          return Double(newest.counts.favorites - self.models[0].counts.favorites)
        }),
      Contender(
        name: "GRDB, the 40 newest statuses, by hand",
        prepare: {
          try self.fillDatabase()
          let database = try self.opened(self.database)
          self.codables = try database.pool.read(database.fetchPage)
          self.following = try Following(database)
        },
        reset: { self.codables[0] = self.codables[0].withFavorite() },
        run: {
          try self.opened(self.database).save([self.codables[0]])
          let favorites = self.codables[0].counts.favorites
          try self.opened(self.following).wait(for: favorites)
          return 0
        }),
    ]
  }

  private func decodedDocument(_ document: MicroblogDocument) throws -> [CodableMicroblogStatus] {
    try CodableMicroblogStatus.decoder.decode([CodableMicroblogStatus].self, from: document.text)
  }

  private func importDocument(_ document: MicroblogDocument) throws -> SaveReport {
    let statuses = try adapter.models(from: document.text)
    return try opened(store).write { try $0.save(statuses) }
  }

  private func fillStore() throws {
    try openStore(isNew: true)
    _ = try importDocument(document)
  }

  private func fillDatabase() throws {
    try openDatabase(isNew: true)
    try database?.save(decodedDocument(document))
  }

  private func openStore(isNew: Bool) throws {
    if store != nil, !isNew { return }
    controller = nil
    try store?.writer.close()
    store = nil
    ListStores.remove(path("statuses"))
    store = try ModelStore(path: path("statuses"), models: MicroblogStatus.self)
  }

  private func openDatabase(isNew: Bool) throws {
    if database != nil, !isNew { return }
    following?.cancel()
    following = nil
    try database?.pool.close()
    database = nil
    ListStores.remove(path("by-hand"))
    database = try MicroblogDatabase(
      path: path("by-hand"), server: MicroblogDocument.server)
  }

  private func path(_ name: String) -> String { folder.appending(path: "\(name).sqlite").path }

  private func takeModels() -> Double {
    defer { models = [] }
    return Self.checksum(models.checksum)
  }

  private func takeCodables() -> Double {
    defer { codables = [] }
    return Self.checksum(codables)
  }

  private static func checksum(_ statuses: [CodableMicroblogStatus]) -> Double {
    checksum(statuses.map(\.model).checksum)
  }

  /// The part of a sum that a double represents exactly.
  private static func checksum(_ sum: Int) -> Double { Double(sum % (1 << 52)) }

  private func opened<Value>(_ value: Value?) throws -> Value {
    guard let value else { throw ChecksumMismatch(description: "not prepared") }
    return value
  }
}

/// An observation of the newest statuses with GRDB.
private final class Following: Sendable {
  private let arrival = DispatchSemaphore(value: 0)
  private let page = Mutex<[CodableMicroblogStatus]>([])
  private let observation = Mutex<AnyDatabaseCancellable?>(nil)

  init(_ database: MicroblogDatabase) throws {
    let started = ValueObservation.tracking { try database.fetchPage($0) }.start(
      in: database.pool, scheduling: .async(onQueue: DispatchQueue(label: "arrival"))
    ) { [self] _ in
      arrival.signal()
    } onChange: { [self] value in
      page.withLock { $0 = value }
      arrival.signal()
    }
    observation.withLock { $0 = started }
    arrival.wait()
  }

  func cancel() { observation.withLock { $0 = nil } }

  /// Waits until the newest status has a number of favorites. A value that was
  /// fetched before the write can still arrive.
  func wait(for favorites: Int) {
    while page.withLock({ $0.first?.counts.favorites }) != favorites { arrival.wait() }
  }
}
