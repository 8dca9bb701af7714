import GRDB
import MohoResults
import MohoRows
import MohoSQLite

/// A save of many rows into a table with a results controller, and into one
/// without.
final class ObservedImport {
  private let stores: ListStores
  private let models: [ListedEpisode]
  private var store: ModelStore?
  private var controller: ResultsController<ListedEpisode>?

  init(_ stores: ListStores, count: Int) {
    self.stores = stores
    let first = stores.episodes.count
    models = Array(stores.episodes.models(first..<first + count))
  }

  var contenders: [Contender] {
    [
      Contender(name: "Moho, unobserved", reset: { try self.reset(isObserved: false) }) {
        try self.save()
        return try self.checksum()
      },
      Contender(name: "Moho, observed", reset: { try self.reset(isObserved: true) }) {
        try self.save()
        return Double(self.controller?.snapshot.count ?? -1)
      },
    ]
  }

  func close() throws {
    controller = nil
    try store?.writer.close()
    store = nil
    stores.removeCopies()
  }

  private func reset(isObserved: Bool) throws {
    try close()
    let store = try ListStores.open(stores.makeCopy())
    self.store = store
    if isObserved { controller = try EpisodeList.newest.controller(in: store) }
  }

  private func save() throws {
    guard let store else { return }
    try store.write { _ = try $0.save(models) }
  }

  /// The expected number of rows.
  private func checksum() throws -> Double { Double(stores.episodes.count + models.count) }
}
