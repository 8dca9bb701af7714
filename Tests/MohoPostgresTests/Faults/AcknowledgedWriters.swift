import Foundation
import MohoMapping
import MohoPostgres
import MohoRows
import Synchronization

/// A model whose rows are saved in batches.
struct Track: MappedModel, Equatable {
  var id: Int
  var batch: Int
  var title: String
  var length: Double?

  static let mapping = Mapping(
    "Track", Track.init, .key("id", \.id, .unique), .key("batch", \.batch, .indexed),
    .key("title", \.title), .key("length", \.length))

  static let countInBatch = 10

  static func batch(_ number: Int) -> [Track] {
    (0..<countInBatch).map {
      Track(
        id: number * countInBatch + $0, batch: number, title: "Track \($0) of \(number)",
        length: $0 % 3 == 0 ? nil : Double($0))
    }
  }
}

/// Threads that save batches with stores of their own, and record which of them
/// the store has acknowledged.
final class AcknowledgedWriters: Sendable {
  struct Record: Sendable {
    /// The batches whose transactions were committed.
    var saved: Set<Int> = []
    /// The batches whose transactions were not committed.
    var failed: Set<Int> = []
    /// The batches of which the store does not know it.
    var unknown: Set<Int> = []
    /// Errors that are not about the connection.
    var otherErrors: [String] = []
    var isEnded = false
    var nextBatch = 0
  }

  private let record = Mutex(Record())
  private let ended = DispatchGroup()

  /// - Parameter makeStore: Opens the store of a thread.
  init(count: Int, _ makeStore: @escaping @Sendable () throws -> ModelStore) throws {
    for store in try (0..<count).map({ _ in try makeStore() }) {
      ended.enter()
      Thread { [self] in
        while let batch = next() { save(batch, store) }
        ended.leave()
      }.start()
    }
  }

  private func next() -> Int? {
    record.withLock { record in
      if record.isEnded { return nil }
      defer { record.nextBatch += 1 }
      return record.nextBatch
    }
  }

  private func save(_ batch: Int, _ store: ModelStore) {
    do {
      try store.write { writer in
        // One model at a time, so that faults happen between statements.
        for track in Track.batch(batch) { try writer.save(track) }
      }
      record.withLock { _ = $0.saved.insert(batch) }
    } catch let error as StoreError {
      record.withLock { record in
        switch error.code {
        case .commitUnknown: record.unknown.insert(batch)
        case .connectionLost, .cannotConnect, .readOnly, .conflict: record.failed.insert(batch)
        default:
          record.failed.insert(batch)
          record.otherErrors.append("\(error)")
        }
      }
    } catch {
      record.withLock { $0.otherErrors.append("\(error)") }
    }
  }

  /// Waits until more batches are saved.
  func waitForBatches(_ count: Int) {
    let target = savedCount + count
    let end = ContinuousClock.now + .seconds(120)
    while savedCount < target, ContinuousClock.now < end { usleep(1_000) }
  }

  var savedCount: Int { record.withLock { $0.saved.count } }

  /// Ends the threads.
  func end() -> Record {
    record.withLock { $0.isEnded = true }
    ended.wait()
    return record.withLock { $0 }
  }
}

extension AcknowledgedWriters.Record {
  /// Returns how the rows of a store differ from what it has acknowledged.
  func problems(in store: ModelStore) throws -> [String] {
    let tracks = try store.fetch(ModelRequest<Track>().order(by: \.id))
    let stored = Dictionary(grouping: tracks, by: \.batch)
    var problems = otherErrors
    for batch in saved where stored[batch] != Track.batch(batch) {
      problems.append("batch \(batch) was saved, but has \(stored[batch]?.count ?? 0) rows")
    }
    for batch in failed where stored[batch] != nil {
      problems.append("batch \(batch) failed, but has rows")
    }
    for batch in unknown where stored[batch] != nil && stored[batch] != Track.batch(batch) {
      problems.append("batch \(batch) is incomplete")
    }
    let known = saved.union(failed).union(unknown)
    problems += stored.keys.filter { !known.contains($0) }.map { "batch \($0) was not saved" }
    return problems
  }
}
