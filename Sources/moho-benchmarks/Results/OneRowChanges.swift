import CFloors
import MohoResults
import MohoStore

/// One row written, from the beginning of the transaction to the change set in
/// hand: Moho, the same write unobserved, and a floor in C that finds the new
/// place of the row by one look into the index.
///
/// The three write to files of their own, in turns, and must agree on the row
/// before the one that was written.
struct OneRowChanges {
  let list: EpisodeList
  let kinds: [ListEdit.Kind]
  let samples: Int
  /// What others took for a far move.
  var peers: [Measurement] = []

  private struct Times {
    var floor = Measurement(name: "C, write and find the place")
    var placing = Measurement(name: "of which, C finds the place")
    var unobserved = Measurement(name: "Moho, write unobserved")
    var observed = Measurement(name: "Moho, write and change set")
    var afterwards = Measurement(name: "Moho, what observing adds")
    var receiving = Measurement(name: "Moho, receive the change set")
  }

  func run(_ stores: ListStores, _ report: BenchmarkReport) async throws {
    let floor = try FloorList(path: stores.makeCopy())
    let evaluation = try floor.prepare(list.evaluation)
    let probe = try floor.prepare(list.probe)
    let statements = try Dictionary(
      uniqueKeysWithValues: kinds.map { ($0, try floor.prepare($0.sql)) })
    let unobserved = try ListStores.open(stores.makeCopy())
    let store = try ListStores.open(stores.makeCopy())
    var observed = ObservedList(try list.controller(in: store))

    var times = Dictionary(uniqueKeysWithValues: kinds.map { ($0, Times()) })
    let clock = ContinuousClock()
    let warmUp = min(20, samples)
    for (number, edit) in ListEdit.make(warmUp + samples, of: kinds, in: stores.episodes)
      .enumerated()
    {
      let start = clock.now
      try floor.write(statements[edit.kind] ?? 0, [edit.row])
      let floorWritten = clock.now
      let expected = try floor.place(evaluation, probe, edit.row.id)
      let floorDone = clock.now
      try unobserved.write(edit)
      let unobservedDone = clock.now
      try store.write(edit)
      let written = clock.now
      let update = try await observed.next()
      let done = clock.now

      guard update.predecessor(of: edit.row.id) == expected else {
        throw ChecksumMismatch(
          description: "\(edit.kind.rawValue) of row \(edit.row.id): \(update.changes)"
            + ", expected behind row \(expected)")
      }
      guard number >= warmUp * kinds.count else { continue }
      var time = times[edit.kind] ?? Times()
      time.floor.times.append((floorDone - start) / .seconds(1))
      time.placing.times.append((floorDone - floorWritten) / .seconds(1))
      time.unobserved.times.append((unobservedDone - floorDone) / .seconds(1))
      time.observed.times.append((done - unobservedDone) / .seconds(1))
      time.receiving.times.append((done - written) / .seconds(1))
      times[edit.kind] = time
    }
    for kind in kinds {
      guard var time = times[kind] else { continue }
      let base = time.unobserved.median
      time.afterwards.times = time.observed.times.map { $0 - base }
      tell(kind, time, stores.episodes.count, report)
    }
    try check(observed.controller, in: store)
  }

  private func tell(
    _ kind: ListEdit.Kind, _ time: Times, _ rows: Int, _ report: BenchmarkReport
  ) {
    let workload = Self.workload(list, kind)
    let own = [
      time.floor, time.placing, time.unobserved, time.observed, time.afterwards, time.receiving,
    ]
    report.table(
      Work(number: "W7", title: workload, rows: rows), own + (kind == .farMove ? peers : []),
      comparing: time.observed.name)
    report.ratio(
      "\(workload): whole write ÷ floor", rows: rows,
      time.observed.median / time.floor.median, atMost: 5)
    report.ratio(
      "\(workload): what observing adds ÷ finding the place in C", rows: rows,
      time.afterwards.median / time.placing.median, atMost: 5)
    report.time(
      "\(workload): what observing adds", rows: rows, time.afterwards.median, atMost: 25e-6)
  }

  static func workload(_ list: EpisodeList, _ kind: ListEdit.Kind) -> String {
    "one row, \(list.rawValue), \(kind.rawValue)"
  }

  static func flatness(_ list: EpisodeList, _ kind: ListEdit.Kind, _ report: BenchmarkReport) {
    report.flatness(
      "\(workload(list, kind)): growth of what observing adds", of: Times().afterwards.name,
      in: workload(list, kind), atMost: 2)
  }

  /// The order that was followed is that of a controller that is made now.
  private func check(
    _ controller: ResultsController<ListedEpisode>, in store: ModelStore
  ) throws {
    let fresh = try list.controller(in: store)
    guard controller.snapshot.index == fresh.snapshot.index else {
      throw ChecksumMismatch(description: "the list that was followed has another order")
    }
  }
}
