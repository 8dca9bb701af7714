import MohoChanges
import MohoResults

extension FollowedController {
  func judge(
    _ update: ResultsUpdate<Model>, _ consumer: Consumer<Model>, _ timeline: Timeline
  ) throws {
    let known = consumer.known
    guard update.before.generation == known.snapshot.generation else {
      throw Disagreement("\(name): an update starts at another state")
    }
    guard let moment = momentOfGeneration[update.after.generation] else {
      let last = momentOfGeneration.filter { $0.key < update.after.generation }
        .max { $0.key < $1.key }
      throw Disagreement(
        "\(name): an update of `\(consumer.kind)` leads from moment \(known.moment) to an unknown"
          + " state after moment \(last?.value ?? -1)")
    }
    if update.changes.isEmpty { throw Disagreement("\(name): an update without changes") }
    let after = KnownState(snapshot: update.after, moment: moment)
    try judge(update.changes, known, after, timeline, "`\(consumer.kind)`")
    try judge(update.changes.inverse, after, known, timeline, "inverse of `\(consumer.kind)`")
    if consumer.kind == .composing {
      let first = consumer.first ?? known
      let composed =
        consumer.composed.map {
          $0.followed(
            by: update.changes, from: first.snapshot.index, to: update.after.index,
            keys: Model.keyNames)
        } ?? update.changes
      try judge(composed, first, after, timeline, "composed", isComposed: true)
      let continues = composed.rows.count < 12
      consumer.first = continues ? first : after
      consumer.composed = continues ? composed : nil
    }
    consumer.known = after
  }

  func judge(
    _ changes: ChangeSet, _ from: KnownState<Model>, _ to: KnownState<Model>,
    _ timeline: Timeline, _ what: String, isComposed: Bool = false
  ) throws {
    let (first, last) = (min(from.moment, to.moment), max(from.moment, to.moment))
    let kind = Model.kind
    let names = Model.keyNames
    let between = states[first...last]
    let isUncertain = timeline.isUncertain(from: first, to: last)
    let isReordered = reorderings.contains { $0 > first && $0 <= last }
    let (old, new) = (states[from.moment], states[to.moment])
    func wasRemoved(_ rowID: Int64) -> Bool { between.contains { !$0.contains(rowID) } }
    let required: (Int64) -> [String] = { rowID in
      timeline.changedKeys(of: rowID, kind, from: from.moment, to: to.moment).map { names[$0] }
    }
    let judge = ChangeSetJudge(
      old: old, new: new, keyNames: names, requiredKeys: required,
      allowedKeys: { rowID in
        let bits = timeline.touchedKeys(of: rowID, kind, from: first, to: last)
        let touched = Set(names.indices.filter { bits & 1 << $0 != 0 }.map { names[$0] })
        if isComposed { return wasRemoved(rowID) ? Set(names) : touched }
        if isUncertain { return touched }
        return touched.intersection(Model.relatedKeys).union(required(rowID))
      },
      mayMove: { rowID in
        let orders = Set(between.map { $0.positionValues(of: rowID) })
        if orders.count > 1 { return true }
        return timeline.touchedKeys(of: rowID, kind, from: first, to: last) != 0
      },
      isReordered: isReordered)
    do {
      try judge.check(changes)
      try ProjectionJudge(
        old: old, new: new, before: from.snapshot.index, after: to.snapshot.index,
        isChanged: { !required($0).isEmpty }
      ).check(changes)
    } catch let disagreement as Disagreement {
      throw Disagreement(
        "\(name), \(what), moments \(from.moment) to \(to.moment): \(disagreement)")
    }
  }
}
