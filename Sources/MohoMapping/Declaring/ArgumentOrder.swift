/// Finds keys of one type that are declared in another order than the
/// initializer takes them, which the compiler cannot see.
///
/// The initializer is called with sample values, and each key path must read
/// back the sample that was given for its key. A key that reads back what
/// another key was given stands at that key's place. Where a type has no
/// samples, the order of the stored properties in memory decides: a memberwise
/// initializer takes them in that order.
enum ArgumentOrder {
  static func issues<Model, each Value: Sendable>(
    make: (repeat each Value) -> Model,
    keys: repeat KeyMapping<Model, each Value>
  ) -> [DeclarationIssue] {
    var names: [String] = []
    var types: [Any.Type] = []
    var offsets: [Int?] = []
    for key in repeat each keys {
      names.append(key.displayName)
      types.append(key.valueType)
      offsets.append(MemoryLayout<Model>.offset(of: key.keyPath))
    }

    var pairs = SameTypedPairs(types: types)
    do {
      // Booleans have two samples only: the rounds spell each key's position
      // in binary, so that any two keys differ in one of them.
      for round in 0..<max(1, names.count.bitWidth - names.count.leadingZeroBitCount) {
        let (given, readBack) = try samples(round: round, make: make, keys: repeat each keys)
        pairs.compare(given: given, readBack: readBack)
      }
    } catch {
      pairs.compare(offsets: offsets)
    }
    return pairs.misplaced.map { key, place in
      DeclarationIssue(
        "`\(names[key])` is declared where the initializer takes `\(names[place])`:"
          + " declare keys in the order of its arguments")
    }
  }

  private static func samples<Model, each Value: Sendable>(
    round: Int,
    make: (repeat each Value) -> Model,
    keys: repeat KeyMapping<Model, each Value>
  ) throws -> (given: [FieldContent], readBack: [FieldContent]) {
    var position = -1
    func sample<Sampled: Sendable>(_ key: KeyMapping<Model, Sampled>) throws -> Sampled {
      position += 1
      return try key.sampleOrThrow(FieldSample(position: position, round: round))
    }
    let values = (repeat try sample(each keys))
    let model = make(repeat each values)

    let given = FieldRecorder()
    let readBack = FieldRecorder()
    var index = 0
    for (key, value) in repeat (each keys, each values) {
      try key.write(value, given, index)
      try withUnsafePointer(to: model) { try key.writeProperty($0, readBack, index) }
      index += 1
    }
    return (given.contents, readBack.contents)
  }
}

/// The pairs of keys that have one Swift type, and what is known of each.
private struct SameTypedPairs {
  private struct Pair {
    let key: Int
    let place: Int
    /// Whether the key has always read back what the place was given.
    var isMatch = true
    /// Whether the key has once not read back what it was given itself.
    var isMoved = false
  }

  private var pairs: [Pair] = []

  init(types: [Any.Type]) {
    for key in types.indices {
      for place in types.indices where place != key && types[key] == types[place] {
        pairs.append(Pair(key: key, place: place))
      }
    }
  }

  mutating func compare(given: [FieldContent], readBack: [FieldContent]) {
    for index in pairs.indices {
      let pair = pairs[index]
      if readBack[pair.key] != given[pair.place] { pairs[index].isMatch = false }
      if readBack[pair.key] != given[pair.key] { pairs[index].isMoved = true }
    }
  }

  mutating func compare(offsets: [Int?]) {
    for index in pairs.indices {
      let pair = pairs[index]
      if let offset = offsets[pair.key], let other = offsets[pair.place] {
        pairs[index].isMoved = (pair.key < pair.place) != (offset < other)
      }
      pairs[index].isMatch = pairs[index].isMoved
    }
  }

  /// The misplaced keys, and the keys at whose places they stand.
  var misplaced: [(key: Int, place: Int)] {
    pairs.filter { $0.isMatch && $0.isMoved }.map { ($0.key, $0.place) }
  }
}

private struct NoSample: Error {}

extension KeyMapping {
  func sampleOrThrow(_ sample: FieldSample) throws -> Value {
    guard let value = self.sample(sample) else { throw NoSample() }
    return value
  }

  fileprivate var valueType: Any.Type { Value.self }

  fileprivate var displayName: String {
    description.isTransient ? "\(keyPath)" : description.name
  }
}
