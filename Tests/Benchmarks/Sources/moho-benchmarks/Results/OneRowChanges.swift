import CFloors
import MohoResults
import MohoRows
import MohoSQLite

/// A write of one row, measured from the start of the transaction until the
/// change set is available: Moho, the same write without a controller, and a
/// floor in C that looks up the new position of the row in a database index.
///
/// The three contenders write to separate files, in turns, and must agree on
/// the row before the written one.
struct OneRowChanges {
  let list: EpisodeList
  let kinds: [ListEdit.Kind]
  let samples: Int
  /// The times of peers for a far move.
  var peers: [Measurement] = []

  private struct Times {
    var floor = Measurement(name: "C, write and find the position")
    var positioning = Measurement(name: "of which, C finds the position")
    var unobserved = Measurement(name: "Moho, write unobserved")
    var observed = Measurement(name: "Moho, write and change set")
    var overhead = Measurement(name: "Moho, overhead of observing")
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
      let expected = try floor.predecessor(evaluation, probe, edit.row.id)
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
            + ", expected a position after row \(expected)")
      }
      guard number >= warmUp * kinds.count else { continue }
      var time = times[edit.kind] ?? Times()
      time.floor.times.append((floorDone - start) / .seconds(1))
      time.positioning.times.append((floorDone - floorWritten) / .seconds(1))
      time.unobserved.times.append((unobservedDone - floorDone) / .seconds(1))
      time.observed.times.append((done - unobservedDone) / .seconds(1))
      time.receiving.times.append((done - written) / .seconds(1))
      times[edit.kind] = time
    }
    for kind in kinds {
      guard var time = times[kind] else { continue }
      let base = time.unobserved.median
      time.overhead.times = time.observed.times.map { $0 - base }
      addFigures(kind, time, stores.episodes.count, report)
    }
    try check(observed.controller, in: store)
  }

  private func addFigures(
    _ kind: ListEdit.Kind, _ time: Times, _ rows: Int, _ report: BenchmarkReport
  ) {
    let workload = Self.workload(list, kind)
    let own = [
      time.floor, time.positioning, time.unobserved, time.observed, time.overhead, time.receiving,
    ]
    report.table(
      Work(number: "W7", title: workload, rows: rows), own + (kind == .farMove ? peers : []),
      comparing: time.observed.name)
    report.ratio("÷ \(time.floor.name)", time.observed.median / time.floor.median, atMost: 5)
    report.ratio(
      "overhead of observing ÷ C finds the position",
      time.overhead.median / time.positioning.median, atMost: 5)
    report.time("overhead of observing", time.overhead.median, atMost: 25e-6)
  }

  static func workload(_ list: EpisodeList, _ kind: ListEdit.Kind) -> String {
    "one row, \(list.rawValue), \(kind.rawValue)"
  }

  static func flatness(_ list: EpisodeList, _ kind: ListEdit.Kind, _ report: BenchmarkReport) {
    report.flatness(
      "growth of the overhead of observing", of: Times().overhead.name, in: workload(list, kind),
      atMost: 2)
  }

  /// Verifies that the list has the same order as a new controller.
  private func check(
    _ controller: ResultsController<ListedEpisode>, in store: ModelStore
  ) throws {
    let fresh = try list.controller(in: store)
    guard controller.snapshot.index == fresh.snapshot.index else {
      throw ChecksumMismatch(
        description: "the order of the updated list differs from that of a new controller")
    }
  }
}
