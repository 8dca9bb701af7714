import CFloors
import Dispatch
import Foundation
import GRDB
import MohoRows
import MohoSQLite
import Synchronization

/// The cost in GRDB of a change set for one far move: an observation of all row
/// IDs, or of all rows, and the difference between the new value and the
/// previous one.
struct ObservationPeers {
  let samples: Int

  func measurements(_ stores: ListStores) throws -> [Measurement] {
    let list = EpisodeList.newest
    let ids = try measure(
      "GRDB, observed row IDs and difference", samples, stores
    ) {
      try Int64.fetchAll($0, sql: list.scan)
    } changes: { new, old in
      new.difference(from: old).count
    }
    let rows = try measure(
      "GRDB, observed rows and difference", max(1, samples / 3), stores
    ) {
      try ListedRecord.fetchAll($0, sql: list.rows)
    } changes: { new, old in
      new.difference(from: old).count
    }
    return [ids, rows]
  }

  private func measure<Value: Sendable>(
    _ name: String, _ samples: Int, _ stores: ListStores,
    fetch: @escaping @Sendable (Database) throws -> Value, changes: (Value, Value) -> Int
  ) throws -> Measurement {
    let pool = try DatabasePool(path: stores.makeCopy())
    let values = Mutex<[Value]>([])
    let arrival = DispatchSemaphore(value: 0)
    let observation = ValueObservation.tracking(fetch).start(
      in: pool, scheduling: .async(onQueue: DispatchQueue(label: "arrival"))
    ) { _ in
      arrival.signal()
    } onChange: { value in
      values.withLock { $0.append(value) }
      arrival.signal()
    }
    defer { observation.cancel() }
    arrival.wait()

    var measurement = Measurement(name: name)
    let clock = ContinuousClock()
    for edit in ListEdit.make(samples, of: [.farMove], in: stores.episodes) {
      // Values that arrive late belong to the previous sample.
      while arrival.wait(timeout: .now() + 0.5) == .success {}
      var count = 0
      let time = try clock.measure {
        try pool.write { database in
          try database.cachedStatement(sql: edit.kind.sql).execute(arguments: edit.arguments)
        }
        // A value fetched before the write can still arrive.
        while count == 0 {
          arrival.wait()
          let (old, new) = values.withLock { values -> (Value?, Value?) in
            defer { values.removeFirst(values.count - 1) }
            return (values.first, values.last)
          }
          if let old, let new { count = changes(new, old) }
        }
      }
      guard count == 2 else {
        throw ChecksumMismatch(
          description: "\(name): \(count) changes, expected a removal and an insertion")
      }
      measurement.times.append(time / .seconds(1))
    }
    return measurement
  }
}
