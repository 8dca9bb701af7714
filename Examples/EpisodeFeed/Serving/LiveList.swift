import Foundation
import Moho

/// A list that any number of clients follow: one controller, and one task that
/// receives its updates.
///
/// A client has only the version that it knows. When it is ready, it receives
/// one event from this version to the newest one. Clients with the same version
/// receive the same event, which is encoded once.
actor LiveList {
  /// The number of rows in the first event of a list.
  static let firstRowCount = 60
  /// The maximum number of rows whose values an event contains.
  static let valueLimit = 100
  /// The maximum number of rows in a window.
  static let windowLimit = 200

  private let store: ModelStore
  private let controller: ResultsController<Episode>
  private var snapshot: ResultsSnapshot<Episode>
  private var history: ListHistory
  private var failure: (any Error)?
  /// The events to the newest version, by the version they start at.
  private var events: [String?: Task<ServerEvent, any Error>] = [:]
  private let signal = EventSignal()
  private var tasks: [Task<Void, Never>] = []

  /// Fetches a list.
  ///
  /// - Throws: `StoreError`, and `CancellationError` if the task is canceled.
  init(_ list: EpisodeList, in store: ModelStore) async throws {
    self.store = store
    controller = try await list.controller(in: store)
    snapshot = controller.snapshot
    history = ListHistory(
      token: String(UInt32.random(in: .min ... .max), radix: 16), generation: snapshot.generation,
      snapshot.index)
  }

  /// Starts to follow the list.
  ///
  /// - Parameter heartbeat: The time after which waiting clients receive a
  ///   heartbeat.
  func start(heartbeat: Duration) {
    tasks = [
      Task { await follow() },
      Task { [signal] in await signal.beat(every: heartbeat) },
    ]
  }

  /// Stops following the list. Waiting clients receive an error.
  func stop() { fail(CancellationError()) }

  /// Whether clients have to open the list again.
  var hasFailed: Bool { failure != nil }

  private func follow() async {
    do {
      for try await update in controller.updates(since: snapshot) {
        snapshot = update.after
        history.append(
          generation: update.after.generation, update.after.index, update.changes,
          summaryKeys: update.after.sections.first?.summary?.names ?? [])
        events = [:]
        signal.wake(isEvent: true)
      }
    } catch {
      fail(error)
    }
  }

  private func fail(_ error: any Error) {
    failure = failure ?? error
    for task in tasks { task.cancel() }
    signal.fail(error)
  }

  /// Returns the event that leads from a version to the newest one. Waits until
  /// there is a newer version.
  ///
  /// - Parameter version: The version that the client knows; nil if it does not
  ///   have the list.
  /// - Returns: Nil if nothing has changed for the time of a heartbeat.
  func event(after version: String?) async throws -> ServerEvent? {
    if let failure { throw failure }
    if version == history.version {
      guard try await signal.wait() else { return nil }
    }
    let start = version.flatMap { history.index(of: $0) == nil ? nil : version }
    let event =
      events[start]
      ?? Task { [history, snapshot] in
        try await self.event(from: start, history, snapshot)
      }
    events[start] = event
    do {
      return try await event.value
    } catch {
      // The next client tries again.
      events[start] = nil
      throw error
    }
  }

  /// Encodes an event.
  @concurrent
  private nonisolated func event(
    from start: String?, _ history: ListHistory, _ snapshot: ResultsSnapshot<Episode>
  ) async throws -> ServerEvent {
    let index = snapshot.index
    if let start, let changes = history.changes(since: start) {
      let rowIDs = changes.rows.lazy.filter { $0.old == nil || !$0.changedKeys.isEmpty }
        .map(\.rowID)
      let values = try await store.summaries(of: Array(rowIDs.prefix(Self.valueLimit)))
        .filter { $0.episode != nil }
      let summaries = changes.sections.compactMap { change in
        change.kind == .delete
          ? nil
          : UnplayedSummary(snapshot.sections[change.index].summary).map {
            ChangeMessage.Summary(section: change.index, unplayed: $0)
          }
      }
      return try ServerEvent(
        ChangeMessage(
          from: start, version: history.version, count: index.count, changes: changes,
          episodes: values.isEmpty ? nil : values,
          summaries: summaries.isEmpty ? nil : summaries))
    }
    let sections = snapshot.sections.map { section in
      ListMessage.Section(
        key: section.key == .null ? nil : section.key, count: section.count,
        unplayed: UnplayedSummary(section.summary))
    }
    let first = index.rowIDs(atPositions: 0..<min(index.count, Self.firstRowCount))
    return try ServerEvent(
      ListMessage(
        version: history.version, sections: sections,
        rows: try await store.summaries(of: Array(first))))
  }

  /// Returns a window of rows.
  ///
  /// - Throws: ``PageError`` of code `gone` if the version is not retained.
  func rows(of version: String, from start: Int, count: Int) async throws -> RowsMessage {
    guard let index = history.index(of: version) else { throw PageError.gone }
    let first = min(start, index.count)
    let positions = first..<min(first + min(count, Self.windowLimit), index.count)
    let rowIDs = Array(index.rowIDs(atPositions: positions))
    return RowsMessage(version: version, from: start, rows: try await store.summaries(of: rowIDs))
  }
}

extension ModelStore {
  /// Reads the current values of rows. A deleted row has no values.
  ///
  /// A row that cannot be read has an error as its summary, so that a page can
  /// still show all other rows.
  func summaries(of rowIDs: [Int64]) async throws -> [PageRow] {
    guard !rowIDs.isEmpty else { return [] }
    let values = try await read { reader in
      do {
        return try reader.summaries(of: rowIDs)
      } catch is MappingError {
        return try rowIDs.reduce(into: [:]) { values, rowID in
          do {
            values.merge(try reader.summaries(of: [rowID])) { $1 }
          } catch let error as MappingError {
            values[rowID] = PageRow.Summary(unreadable: error)
          }
        }
      }
    }
    return rowIDs.map { PageRow(id: $0, episode: values[$0]) }
  }
}

extension StoreReader {
  fileprivate func summaries(of rowIDs: [Int64]) throws -> [Int64: PageRow.Summary] {
    let request = ModelRequest<Episode>().filter { episode in
      .or(rowIDs.map { episode.isRow(identity: $0) })
    }
    let pairs = zip(try fetchIdentities(request), try fetch(request))
    return Dictionary(pairs.map { ($0, PageRow.Summary($1)) }) { $1 }
  }
}
