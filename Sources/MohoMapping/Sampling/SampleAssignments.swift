/// The sample value that each key gets in each round of a check.
///
/// In a group of keys of the same type, the rounds write the position of a key
/// as digits whose base is the number of samples. Any two keys therefore differ
/// in at least one round. If there are enough samples, there is one round, in
/// which the samples ascend in declaration order.
struct SampleAssignments<Model> {
  private let fields: [MappedField<Model>]
  private let context: SampleContext
  private let groups: [[Int]]
  /// The samples of each group, without the optionals around them.
  private var values: [[Any?]] = []
  /// Maps a key to the key whose samples it gets instead of its own.
  private var exchanges: [Int: Int] = [:]

  init(groups: [[Int]], fields: [MappedField<Model>], context: SampleContext) {
    self.fields = fields
    self.context = context
    self.groups = groups
    values = groups.map { samples(of: $0) }
  }

  /// The keys that have no sample.
  var missing: [Int] {
    groups.indices.filter { values[$0].isEmpty }.flatMap { groups[$0] }
  }

  var rounds: Int {
    groups.indices.map { digits(groups[$0].count, values[$0].count) }.max() ?? 1
  }

  /// Returns the sample of each key in a round.
  func values(_ round: Int) -> [Int: any AnyValueBox] {
    var samples: [Int: Any?] = [:]
    for (group, values) in zip(groups, values) where !values.isEmpty {
      for (position, key) in group.enumerated() {
        samples.updateValue(values[digit(position, values.count, round)], forKey: key)
      }
    }
    var boxes: [Int: any AnyValueBox] = [:]
    for key in samples.keys {
      guard let sample = samples[exchanges[key] ?? key] else { continue }
      boxes[key] = sample.map { fields[key].box($0) } ?? nilSample(of: key)
    }
    return boxes
  }

  /// Returns the assignments in which misplaced keys have exchanged their
  /// samples.
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

  /// Returns different values for keys of the same type: one for each key, or
  /// fewer if the type does not have as many. Nil is included only if there is
  /// at most one other value and all keys allow it.
  private func samples(of keys: [Int]) -> [Any?] {
    let count = keys.count
    var found: [(value: Any?, compared: ComparedValue)] = []
    func add(_ box: any AnyValueBox) {
      guard found.count < count else { return }
      let value = ComparedValue(box, of: keys, fields)
      if found.allSatisfy({ $0.compared.isEqual(to: value) == false }) {
        found.append((box.unwrapped, value))
      }
    }

    for key in keys {
      let samples = fields[key].samples
      for position in 0..<(count + 8) where found.count < count {
        let sample = FieldSample(position: position, context: context)
        if let box = samples.declared(sample), box.unwrapped != nil {
          add(box)
        } else {
          for box in samples.found(sample) where box.unwrapped != nil { add(box) }
        }
      }
      if found.count >= min(count, 2) { return found.map(\.value) }
    }
    for key in keys {
      if let box = fields[key].defaultValue, box.unwrapped != nil { add(box) }
      for box in fields[key].samples.empty where box.unwrapped != nil { add(box) }
    }
    let nilSamples = keys.compactMap { nilSample(of: $0) }
    if nilSamples.count == keys.count, let sample = nilSamples.first { add(sample) }
    return found.map(\.value)
  }

  private func nilSample(of key: Int) -> (any AnyValueBox)? {
    fields[key].samples.empty.first { $0.unwrapped == nil }
  }
}
