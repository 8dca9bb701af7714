import Foundation
import MohoChanges
import MohoMapping
import MohoResults
import MohoRows
import MohoSQLite

/// Several threads write, read and edit one store and follow its results, while
/// a second store writes to the same file. At the end, the store is closed while
/// threads use it.
struct StoreRound: Sendable {
  private static let steps = 20
  private static let requests = [
    ModelRequest<Track>().order(by: \.length).order(by: \.id),
    ModelRequest<Track>().filter { $0.length > 5 }.order(by: \.title, .descending),
    ModelRequest<Track>().order(by: \.disc).order(by: \.length).offset(2).limit(10),
    ModelRequest<Track>().order { $0.album.name },
    ModelRequest<Track>().order(by: \.title, collation: .localizedStandard),
  ]

  private let store: ModelStore
  private let secondStore: ModelStore
  private let controllers: [ResultsController<Track>]

  init(path: String) throws {
    let configuration = StoreConfiguration(busyTimeout: 60, externalChangesInterval: 0.01)
    let store = try ModelStore(path: path, models: Track.self, configuration: configuration)
    self.store = store
    secondStore = try ModelStore(path: path, models: Track.self, configuration: configuration)
    controllers = try Self.requests.enumerated().map { number, request in
      number == 2
        ? try ResultsController(request, in: store, sectionedBy: \.disc)
        : try ResultsController(request, in: store)
    }
  }

  func run() async throws {
    let consumers =
      controllers.map { controller in Task { try await Self.follow(controller) } }
      + [
        Task { [store] in for try await changes in try await store.commits() { _ = changes.rows } }
      ]
    do {
      try await onThreads([
        { try write(to: store, from: 0) }, { try write(to: store, from: 20) },
        { try write(to: secondStore, from: 40) }, { try read() }, { try readSnapshots() },
        { try edit() }, { try changeRequests() },
      ])
    } catch {
      for consumer in consumers { consumer.cancel() }
      throw error
    }
    try await close()
    // Closing the store ends their sequences, or refuses those that have not begun.
    for consumer in consumers {
      do { try await consumer.value } catch let error as StoreError where error.code == .closed {}
    }
  }

  /// Closes the store while threads use it.
  private func close() async throws {
    try await onThreads([
      { try untilClosed { try write(to: store, from: 0) } }, { try untilClosed { try read() } },
      { try untilClosed { try changeRequests() } }, { try readSnapshots() }, { try store.close() },
    ])
  }

  private func untilClosed(_ body: () throws -> Void) throws {
    do { try body() } catch let error as StoreError where error.code == .closed {}
  }

  private static func follow(_ controller: ResultsController<Track>) async throws {
    for try await update in controller.updates {
      _ = update.changes.description
      // A row that has changed since the update cannot be read.
      _ = try? update.after.models()
    }
  }

  private func write(to store: ModelStore, from first: Int) throws {
    for step in 0..<Self.steps {
      let track = Track.sample(first + step % 20 + 1, first + step * 7)
      try store.write { writer in
        if step % 4 == 3 { try writer.delete([track]) } else { try writer.save(track) }
        // The changes of a plan are undone.
        if step % 5 == 4 { _ = try writer.plan(saving: [Track.sample(first + 1, step)]) }
      }
    }
  }

  private func read() throws {
    for step in 0..<Self.steps {
      let lengths = try store.fetch(Self.requests[0]).map(\.length)
      try check(lengths == lengths.sorted())
      _ = try store.fetchCount(Self.requests[step % Self.requests.count])
    }
  }

  /// Reads the snapshots that the consumers read too.
  private func readSnapshots() throws {
    for step in 0..<Self.steps * 2 {
      let snapshot = controllers[step % controllers.count].snapshot
      _ = try? snapshot.models()
      _ = snapshot.sections.map(\.count)
      _ = snapshot.index.rowIDs.first.flatMap { snapshot.index.position(of: $0) }
    }
  }

  /// Changes the request of a controller while a consumer follows it.
  private func changeRequests() throws {
    for step in 0..<Self.steps / 2 {
      try controllers[0].setRequest(Self.requests[step % 2])
    }
  }

  private func edit() throws {
    let context = EditingContext(store)
    let results = try ContextResultsController(Self.requests[0], in: context)
    for step in 0..<Self.steps / 2 {
      do {
        if let row = try context.fetch(Self.requests[0]).first {
          try row.set(\Track.title, to: "Edited \(step)")
        }
        _ = results.snapshot.count
        if step % 3 == 0 { _ = context.undo() }
        try context.save()
      } catch is ConflictError {
        context.reset()
      } catch let error as StoreError where error.code == .rowNotFound {
        context.reset()
      }
    }
  }
}
