/// The statements that a connection has prepared, by SQL text and types of
/// arguments.
///
/// A statement is prepared when it runs for the second time. At the limit, it is only
/// prepared if other statements have not run since its own previous run. Those are
/// deallocated. So statements that run in turn do not replace each other: some of them
/// remain prepared, and the others run unprepared.
struct PreparedStatements {
  struct Key: Hashable {
    let sql: String
    let types: [UInt32]
  }

  /// The way to run a statement.
  enum Use: Equatable {
    case unprepared
    /// The caller must deallocate some statements, prepare this one, and call
    /// ``PreparedStatements/didPrepare(_:name:)``.
    case prepare(name: String, deallocating: [String])
    case prepared(name: String)
  }

  private struct Statement {
    let name: String
    var lastUse: Int
  }

  private let capacity: Int
  private var prepared: [Key: Statement] = [:]
  /// The last uses of statements that are not prepared.
  private var candidates: [Key: Int] = [:]
  /// A time at or before the last use of all prepared statements.
  private var oldestUse = 0
  private var clock = 0

  /// - Parameter capacity: The maximum number of prepared statements. The server needs
  ///   20 to 100 KB of memory for each.
  init(capacity: Int = 256) { self.capacity = capacity }

  /// The time of the next use.
  var time: Int { clock + 1 }

  /// Returns the way to run a statement.
  ///
  /// - Parameter start: The time of the first statement of the batch. The statements of
  ///   a batch do not replace each other, because all of them are prepared before the
  ///   first one runs.
  mutating func use(_ key: Key, inBatchSince start: Int = .max) -> Use {
    clock += 1
    if let name = prepared[key]?.name {
      prepared[key]?.lastUse = clock
      return .prepared(name: name)
    }
    let previousUse = candidates.updateValue(clock, forKey: key)
    removeOldCandidates()
    guard let previousUse else { return .unprepared }
    var names: [String] = []
    if prepared.count >= capacity {
      names = removeStatements(lastUsedBefore: min(previousUse, start))
      if names.isEmpty { return .unprepared }
    }
    return .prepare(name: "moho_\(clock)", deallocating: names)
  }

  mutating func didPrepare(_ key: Key, name: String) {
    candidates[key] = nil
    prepared[key] = Statement(name: name, lastUse: clock)
  }

  mutating func removeAll() { (prepared, candidates, oldestUse) = ([:], [:], 0) }

  /// Removes statements that were last used before a time, and returns their names.
  /// Several are removed at a time, because deallocating them takes a round trip.
  private mutating func removeStatements(lastUsedBefore time: Int) -> [String] {
    guard oldestUse < time else { return [] }
    let oldest = prepared.filter { $0.value.lastUse < time }
      .sorted { $0.value.lastUse < $1.value.lastUse }
      .prefix(max(1, capacity / 4))
    for (key, _) in oldest { prepared[key] = nil }
    oldestUse = prepared.values.map(\.lastUse).min() ?? 0
    return oldest.map(\.value.name)
  }

  private mutating func removeOldCandidates() {
    guard candidates.count > 4 * capacity else { return }
    let limit = candidates.values.sorted()[candidates.count / 2]
    candidates = candidates.filter { $0.value >= limit }
  }
}
