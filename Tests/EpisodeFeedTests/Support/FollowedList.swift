import EpisodeFeed
import Moho

/// A store in memory and a controller of a list, for tests of imports.
struct FollowedList {
  let store: ModelStore
  let controller: ResultsController<Episode>
  private var lastSnapshot: ResultsSnapshot<Episode>
  private var updates: ResultsUpdates<Episode>.AsyncIterator

  init(_ list: EpisodeList = EpisodeList()) throws {
    store = try ModelStore(inMemory: Episode.self)
    controller = try list.controller(in: store)
    lastSnapshot = controller.snapshot
    updates = controller.updates(since: lastSnapshot).makeAsyncIterator()
  }

  /// Imports a feed, and returns the report and the change records of the list.
  /// The controller processes a commit before the write returns.
  mutating func `import`(
    _ items: [ScreencastItem], _ policy: EpisodeImporter.Policy = .upsert
  ) async throws -> (report: ImportReport, records: [String]) {
    let report = try EpisodeImporter(store).import(Feed(reading: items.data), policy)
    guard controller.snapshot.generation > lastSnapshot.generation,
      let update = try await updates.next()
    else { return (report, []) }
    lastSnapshot = update.after
    return (report, update.changes.description.split(separator: "\n").map(String.init))
  }

  var ids: [String] { get throws { try controller.snapshot.models().map(\.id) } }
}
