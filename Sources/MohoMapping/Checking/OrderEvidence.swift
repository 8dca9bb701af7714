/// What is known about the order of some keys of one type: which of them read what
/// the initializer was given for another one.
struct OrderEvidence: Sendable {
  /// What one model says about a key and another key.
  struct Observation: Sendable {
    /// Whether the key reads back what was given for it.
    let isOwn: Bool
    /// Whether the key reads back what was given for the other key.
    let isOther: Bool
    /// Whether the values given for both differ.
    let isTold: Bool
  }

  private struct Pair {
    var alwaysReadsOther = true
    var isTold = false
    var isSeparate = false
  }

  /// After how many models keys are no longer compared: the initializer changes
  /// their values.
  static let limit = 256

  /// The positions of the keys in their mapping.
  let keys: [Int]
  /// How many models with different values were observed.
  private(set) var observed = 0
  private var pairs: [Pair]

  init(_ keys: [Int]) {
    self.keys = keys
    pairs = Array(repeating: Pair(), count: keys.count * keys.count)
  }

  /// What a model says, by row the keys that are read and by column the others.
  static func observations(
    given: [ComparedValue], readBack: [ComparedValue]
  ) -> [Observation] {
    let own = given.indices.map { readBack[$0].isEqual(to: given[$0]) == true }
    return given.indices.flatMap { key in
      given.indices.map { other in
        Observation(
          isOwn: own[key], isOther: readBack[key].isEqual(to: given[other]) == true,
          isTold: given[key].isEqual(to: given[other]) == false)
      }
    }
  }

  /// Adds what a model says.
  mutating func add(_ observations: [Observation]) {
    if observations.contains(where: \.isTold) { observed += 1 }
    for (index, observation) in observations.enumerated() {
      if !observation.isOther { pairs[index].alwaysReadsOther = false }
      guard observation.isTold else { continue }
      pairs[index].isTold = true
      if observation.isOwn { separate(index) }
    }
  }

  /// Settles that two keys of the mapping are not swapped with each other.
  mutating func separate(_ key: Int, _ other: Int) {
    guard let row = keys.firstIndex(of: key), let column = keys.firstIndex(of: other) else {
      return
    }
    separate(row * keys.count + column)
  }

  private mutating func separate(_ index: Int) {
    let (row, column) = index.quotientAndRemainder(dividingBy: keys.count)
    pairs[index].isSeparate = true
    pairs[column * keys.count + row].isSeparate = true
  }

  /// The keys that may be swapped with another one, as far as is known.
  var unsettled: [Int] {
    keys.indices.filter { row in
      keys.indices.contains { $0 != row && !pairs[row * keys.count + $0].isSeparate }
    }.map { keys[$0] }
  }

  /// The key that each misplaced key stands for, by its position in ``keys``: keys
  /// that always read what was given for another one, and exchange their places.
  var misplaced: [Int: Int] {
    var others: [Int: Int] = [:]
    for row in keys.indices {
      let found = keys.indices.filter { column in
        let pair = pairs[row * keys.count + column]
        return column != row && pair.alwaysReadsOther && pair.isTold && !pair.isSeparate
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
