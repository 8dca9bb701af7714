/// Makes different values of the types of keys.
struct SamplePool<Model> {
  let fields: [MappedField<Model>]
  let context: SampleContext

  /// As many different values for keys of one type as were asked for, or as there
  /// are, without the optionals around them. Nil is one of them only where there is
  /// hardly another one and all keys allow it.
  func values(_ keys: [Int], count: Int) -> [Any?] {
    var found: [(value: Any?, compared: ComparedValue)] = []
    func add(_ held: any AnyValueBox) {
      guard found.count < count else { return }
      let value = ComparedValue(held, of: keys, fields)
      if found.allSatisfy({ $0.compared.isEqual(to: value) == false }) {
        found.append((held.unwrapped, value))
      }
    }

    for key in keys {
      let samples = fields[key].samples
      for position in 0..<(count + 8) where found.count < count {
        let sample = FieldSample(position: position, context: context)
        if let held = samples.declared(sample), held.unwrapped != nil {
          add(held)
        } else {
          for held in samples.found(sample) where held.unwrapped != nil { add(held) }
        }
      }
      if found.count >= min(count, 2) { return found.map(\.value) }
    }
    for key in keys {
      if let held = fields[key].defaultValue, held.unwrapped != nil { add(held) }
      for held in fields[key].samples.empty where held.unwrapped != nil { add(held) }
    }
    if keys.allSatisfy({ none(of: $0) != nil }), let none = none(of: keys[0]) { add(none) }
    return found.map(\.value)
  }

  /// A value of a key's own type.
  func held(_ value: Any?, by key: Int) -> (any AnyValueBox)? {
    value.map { fields[key].box($0) } ?? none(of: key)
  }

  private func none(of key: Int) -> (any AnyValueBox)? {
    fields[key].samples.empty.first { $0.unwrapped == nil }
  }
}

/// Which sample each key is given in each round.
///
/// The rounds spell a key's position in its group by the samples as digits, so that
/// any two keys differ in one of them. Where there are enough samples, one round
/// does, in which they ascend in declaration order.
struct SampleAssignments<Model> {
  private let groups: [[Int]]
  private let values: [[Any?]]
  private let pool: SamplePool<Model>
  /// The keys whose samples others are given in addition, by key.
  private var exchanges: [Int: Int] = [:]

  init(groups: [[Int]], pool: SamplePool<Model>) {
    self.groups = groups
    self.pool = pool
    values = groups.map { pool.values($0, count: $0.count) }
  }

  /// The keys that have no value at all.
  var missing: [Int] {
    groups.indices.filter { values[$0].isEmpty }.flatMap { groups[$0] }
  }

  var rounds: Int {
    groups.indices.map { digits(groups[$0].count, values[$0].count) }.max() ?? 1
  }

  /// The values in a round, by key.
  func values(_ round: Int) -> [Int: any AnyValueBox] {
    var samples: [Int: Any?] = [:]
    for (group, values) in zip(groups, values) where !values.isEmpty {
      for (position, key) in group.enumerated() {
        samples.updateValue(values[digit(position, values.count, round)], forKey: key)
      }
    }
    var held: [Int: any AnyValueBox] = [:]
    for key in samples.keys {
      if let value = samples[exchanges[key] ?? key] { held[key] = pool.held(value, by: key) }
    }
    return held
  }

  /// The assignments in which each misplaced key has given its sample to the key
  /// that it stands for.
  func exchanged(by evidence: [OrderEvidence]) -> SampleAssignments {
    var assignments = self
    for evidence in evidence {
      for (key, other) in evidence.misplaced {
        assignments.exchanges[evidence.keys[other]] = evidence.keys[key]
      }
    }
    return assignments
  }

  private func digits(_ count: Int, _ base: Int) -> Int {
    guard base > 1 else { return 1 }
    var (digits, reached) = (1, base)
    while reached < count { (digits, reached) = (digits + 1, reached * base) }
    return digits
  }

  private func digit(_ position: Int, _ base: Int, _ round: Int) -> Int {
    guard base > 1 else { return 0 }
    var position = position
    for _ in 0..<round { position /= base }
    return position % base
  }
}
