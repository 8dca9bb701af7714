import EpisodeFeed
import Moho

/// A store in memory, a list that follows it, and what imports do to both.
struct FollowedList {
  let store: ModelStore
  let controller: ResultsController<Episode>
  private var known: ResultsSnapshot<Episode>
  private var updates: ResultsUpdates<Episode>.AsyncIterator

  init(_ list: EpisodeList = EpisodeList()) throws {
    store = try ModelStore(inMemory: Episode.self)
    controller = try list.controller(in: store)
    known = controller.snapshot
    updates = controller.updates(since: known).makeAsyncIterator()
  }

  /// Imports a feed and returns what that did to the list, as its records say
  /// it. A commit is seen before the write returns.
  mutating func `import`(
    _ items: [ScreencastItem], _ policy: EpisodeImporter.Policy = .upsert
  ) async throws -> (report: ImportReport, records: [String]) {
    let report = try EpisodeImporter(store).import(Feed(reading: items.data), policy)
    guard controller.snapshot.generation > known.generation,
      let update = try await updates.next()
    else { return (report, []) }
    known = update.after
    return (report, update.changes.description.split(separator: "\n").map(String.init))
  }

  var ids: [String] { get throws { try controller.snapshot.models().map(\.id) } }
}
