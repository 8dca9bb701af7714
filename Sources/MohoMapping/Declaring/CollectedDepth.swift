/// Whether a key holds as many arrays inside each other as its path collects.
enum CollectedDepth {
  /// What is wrong, or nothing.
  static func problem<Value>(
    of path: FieldPath, type: FieldType,
    sample: (FieldSample) -> Value?,
    write: (Value, any FieldEncoder, Int) throws -> Void
  ) -> [String] {
    guard type == .array else {
      return ["`\(path)` collects an array, and the key is of type \(type.rawValue)"]
    }
    let recorder = FieldRecorder()
    // Without nested models: their mappings may need this one, which is not made yet.
    let context = SampleContext(models: .none)
    if let sample = sample(FieldSample(position: 0, context: context)) {
      try? write(sample, recorder, 0)
    }
    let depth = path.components.count { $0 == .each }
    guard let known = recorder.contents.first?.arrayDepth, known < depth else { return [] }
    return [
      "`\(path)` collects arrays in arrays, \(depth) deep, and the key holds them \(known) deep"
    ]
  }
}

extension FieldContent {
  /// How many arrays lie inside each other; nil where it does not show.
  fileprivate var arrayDepth: Int? {
    switch self {
    case .null: nil
    case .array(let elements): elements.first?.arrayDepth.map { $0 + 1 }
    default: 0
    }
  }
}
