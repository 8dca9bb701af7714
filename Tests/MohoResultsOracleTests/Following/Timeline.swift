/// What SQL read after each commit that the store detected, in order.
///
/// Each moment is one transition of every controller. The moment of a commit of the
/// other connection is when the store detected it.
final class Timeline {
  private(set) var contents: [ModelKind: [KindContents]] = [:]
  /// The changed keys of rows since the previous moment as bits, by model type and
  /// moment. All bits for an inserted or deleted row.
  private var differences: [ModelKind: [[Int64: UInt64]]] = [:]
  /// The moments whose commits had no row information.
  private var incomplete: [Int] = []
  /// The last moment at which each row changed, by model type.
  private var lastChanges: [ModelKind: [Int64: Int]] = [:]
  private(set) var now = -1

  /// Adds a moment.
  func append(_ database: OracleDatabase, isComplete: Bool) throws {
    now += 1
    if !isComplete { incomplete.append(now) }
    for kind in ModelKind.allCases {
      let new = try database.contents(of: kind)
      let old = contents[kind]?.last
      contents[kind, default: []].append(new)
      let changes = old.map { old in old === new ? [:] : difference(old, new) } ?? [:]
      differences[kind, default: []].append(changes)
      for rowID in changes.keys { lastChanges[kind, default: [:]][rowID] = now }
    }
  }

  private func difference(_ old: KindContents, _ new: KindContents) -> [Int64: UInt64] {
    var changes: [Int64: UInt64] = [:]
    for (rowID, content) in new.rows {
      guard let before = old.rows[rowID] else {
        changes[rowID] = .max
        continue
      }
      if before == content { continue }
      var bits: UInt64 = 0
      for key in content.values.indices
      where before.values[key] != content.values[key] || before.links[key] != content.links[key] {
        bits |= 1 << key
      }
      changes[rowID] = bits
    }
    for rowID in old.rows.keys where new.rows[rowID] == nil { changes[rowID] = .max }
    return changes
  }

  /// Whether a commit between two moments had no row information.
  func isUncertain(from old: Int, to new: Int) -> Bool {
    incomplete.contains { $0 > old && $0 <= new }
  }

  /// The content of a row at a moment.
  func content(of rowID: Int64, _ kind: ModelKind, at moment: Int) -> RowContent? {
    contents[kind]?[moment].rows[rowID]
  }

  /// Whether a row changed after a moment.
  func isChanged(_ rowID: Int64, _ kind: ModelKind, since moment: Int) -> Bool {
    (lastChanges[kind]?[rowID] ?? -1) > moment
  }

  /// The keys whose values differ between two moments, as numbers.
  func changedKeys(
    of rowID: Int64, _ kind: ModelKind, from old: Int, to new: Int
  ) -> [Int] {
    guard let before = content(of: rowID, kind, at: old),
      let after = content(of: rowID, kind, at: new)
    else { return [] }
    return after.values.indices.filter { before.values[$0] != after.values[$0] }
  }

  /// The keys that any commit between two moments changed, as bits. All bits if a
  /// commit had no row information.
  func touchedKeys(of rowID: Int64, _ kind: ModelKind, from old: Int, to new: Int) -> UInt64 {
    if old >= new { return 0 }
    if isUncertain(from: old, to: new) { return .max }
    return (old + 1...new).reduce(0) { bits, moment in
      bits | (differences[kind]?[moment][rowID] ?? 0)
    }
  }
}
