import MohoChanges
import MohoResults
import MohoRows
import MohoSQLite

extension FollowedController {
  func read(_ timeline: Timeline, _ random: inout SeededRandom) throws {
    let now = timeline.now
    let isWritten =
      now == 0 || states[now] !== states[now - 1]
      || timeline.contents[Model.kind]?[now] !== timeline.contents[Model.kind]?[now - 1]
    if random.chance(1, in: isWritten ? 2 : 10) { try readCurrent(timeline, &random) }
    guard random.chance(1, in: 3), let known = oldStates.randomElement(using: &random) else {
      return
    }
    try readOld(known, timeline, &random)
  }

  private func readCurrent(_ timeline: Timeline, _ random: inout SeededRandom) throws {
    let snapshot = controller.snapshot
    do {
      if random.chance(1, in: 2) {
        let models = try snapshot.models()
        for (rowID, model) in zip(snapshot.index.rowIDs, models) {
          try check(model, of: rowID, at: timeline.now, timeline, "current")
        }
      } else {
        for (position, rowID) in snapshot.index.rowIDs.enumerated() {
          guard let path = snapshot.index.path(atPosition: position) else { continue }
          try check(snapshot.model(at: path), of: rowID, at: timeline.now, timeline, "current")
        }
      }
    } catch let error as ResultsError {
      throw Disagreement("\(name): the current snapshot cannot be read: \(error)")
    }
  }

  private func check(
    _ model: Model, of rowID: Int64, at moment: Int, _ timeline: Timeline, _ what: String
  ) throws {
    let expected = timeline.content(of: rowID, Model.kind, at: moment)?.values
    // A model that is read before a commit is detected may contain its changes.
    let isUnsettled = unsettledReads.contains { read in
      read >= moment && read < timeline.now
        && timeline.touchedKeys(of: rowID, Model.kind, from: read, to: read + 1) != 0
    }
    if model.keyTexts != expected, what == "current" || !isUnsettled {
      throw Disagreement(
        "\(name): row \(rowID) of the \(what) snapshot of moment \(moment) reads as \(model.keyTexts),"
          + " SQL had \(expected ?? [])")
    }
  }

  private func readOld(
    _ known: KnownState<Model>, _ timeline: Timeline, _ random: inout SeededRandom
  ) throws {
    let rowIDs = Array(known.snapshot.index.rowIDs)
    guard !rowIDs.isEmpty else { return }
    let position = random.below(rowIDs.count)
    let rowID = rowIDs[position]
    guard let path = known.snapshot.index.path(atPosition: position) else { return }
    if known.snapshot.identity(at: path)?.stored != rowID {
      throw Disagreement("\(name): the identity at \(path) is not row \(rowID)")
    }
    do {
      try check(known.snapshot.model(at: path), of: rowID, at: known.moment, timeline, "old")
    } catch let error as ResultsError {
      guard error.code == .rowChanged || error.code == .rowDeleted else { throw error }
      // After a commit without row information, earlier states are unknown.
      if !timeline.isUncertain(from: known.moment, to: timeline.now),
        !timeline.isChanged(rowID, Model.kind, since: known.moment)
      {
        throw Disagreement(
          "\(name): row \(rowID) of the snapshot of moment \(known.moment) was not changed:"
            + " \(error)")
      }
    }
  }

  func readUnsettled(_ timeline: Timeline) throws {
    unsettledReads.insert(timeline.now)
    let snapshot = controller.snapshot
    for position in 0..<min(3, snapshot.count) {
      guard let path = snapshot.index.path(atPosition: position) else { continue }
      do {
        _ = try snapshot.model(at: path)
      } catch let error as ResultsError
        where error.code == .rowChanged || error.code == .rowDeleted
      {
        continue
      }
    }
  }
}
