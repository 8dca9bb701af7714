/// The results of comparing the order of keys with the arguments of an
/// initializer.
struct OrderFindings: Sendable {
  /// Keys that are swapped.
  var issues: [DeclarationIssue] = []
  /// Keys that samples do not distinguish.
  var notes: [DeclarationNote] = []
  /// Keys that are compared in the models that are read first.
  var unchecked: [OrderEvidence] = []
}

/// What is known about the order of keys of the same type: which of them read
/// back the value that the initializer received for another one.
struct OrderEvidence: Sendable {
  /// What one model shows about a key and another key.
  struct Observation: Sendable {
    /// Whether the key reads back its own value.
    let readsOwn: Bool
    /// Whether the key reads back the value of the other key.
    let readsPartner: Bool
    /// Whether the two values differ.
    let differ: Bool
  }

  private struct Pair {
    var alwaysReadsPartner = true
    var hasDiffered = false
    var isSeparate = false
  }

  /// The number of models after which keys are no longer compared, because the
  /// initializer changes their values.
  static let limit = 256

  /// The indexes of the keys in their mapping.
  let keys: [Int]
  /// The number of models with different values.
  private(set) var observed = 0
  private var pairs: [Pair]

  init(_ keys: [Int]) {
    self.keys = keys
    pairs = Array(repeating: Pair(), count: keys.count * keys.count)
  }

  /// Returns what a model shows about each pair of keys: the keys that are read
  /// by row, and the other keys by column.
  static func observations(
    given: [ComparedValue], readBack: [ComparedValue]
  ) -> [Observation] {
    let readsOwn = given.indices.map { readBack[$0].isEqual(to: given[$0]) == true }
    return given.indices.flatMap { key in
      given.indices.map { other in
        Observation(
          readsOwn: readsOwn[key], readsPartner: readBack[key].isEqual(to: given[other]) == true,
          differ: given[key].isEqual(to: given[other]) == false)
      }
    }
  }

  mutating func add(_ observations: [Observation]) {
    if observations.contains(where: \.differ) { observed += 1 }
    for (index, observation) in observations.enumerated() {
      if !observation.readsPartner { pairs[index].alwaysReadsPartner = false }
      guard observation.differ else { continue }
      pairs[index].hasDiffered = true
      if observation.readsOwn { separate(row: index / keys.count, column: index % keys.count) }
    }
  }

  /// Records that two keys are not swapped with each other.
  mutating func separate(_ key: Int, _ other: Int) {
    guard let row = keys.firstIndex(of: key), let column = keys.firstIndex(of: other) else {
      return
    }
    separate(row: row, column: column)
  }

  private mutating func separate(row: Int, column: Int) {
    pairs[row * keys.count + column].isSeparate = true
    pairs[column * keys.count + row].isSeparate = true
  }

  /// The keys that may still be swapped with another one.
  var unsettled: [Int] {
    keys.indices.filter { row in
      keys.indices.contains { $0 != row && !pairs[row * keys.count + $0].isSeparate }
    }.map { keys[$0] }
  }

  /// Maps each misplaced key to the key whose value it always reads back, both
  /// by their positions in ``keys``. Misplaced keys form cycles.
  var misplaced: [Int: Int] {
    var others: [Int: Int] = [:]
    for row in keys.indices {
      let found = keys.indices.filter { column in
        let pair = pairs[row * keys.count + column]
        return column != row && pair.alwaysReadsPartner && pair.hasDiffered && !pair.isSeparate
      }
      if found.count == 1 { others[row] = found[0] }
    }
    return others.filter { row, _ in
      var (key, steps) = (row, 0)
      while let next = others[key], steps < keys.count {
        if next == row { return true }
        (key, steps) = (next, steps + 1)
      }
      return false
    }
  }
}
