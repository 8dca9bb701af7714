/// A value in a form in which values of one type are compared: what is written of
/// it, or the value itself where it is never written.
struct ComparedValue {
  private let value: Any?
  private let written: Written?

  private struct Written: Equatable {
    /// The key by which the value is written; nil where its type says how.
    let key: Int?
    let content: FieldContent
  }

  /// - Parameters:
  ///   - held: The value.
  ///   - keys: The keys that hold values of its type. The first one whose
  ///     transform can write the value does.
  ///   - fields: All fields of the model.
  init<Model>(_ held: any AnyValueBox, of keys: [Int], _ fields: [MappedField<Model>]) {
    value = held.unwrapped
    written = value.flatMap { Self.written($0, keys, fields) }
  }

  private static func written<Model>(
    _ value: Any, _ keys: [Int], _ fields: [MappedField<Model>]
  ) -> Written? {
    if let value = value as? any FieldValue, let content = try? FieldRecorder.content(of: value) {
      return Written(key: nil, content: content)
    }
    for key in keys {
      let recorder = FieldRecorder()
      guard let held = fields[key].box(value),
        (try? fields[key].writeValue(held, recorder, 0)) != nil,
        let content = recorder.contents.first, content != .null
      else { continue }
      return Written(key: key, content: content)
    }
    return nil
  }

  /// Whether two values are equal; nil where that cannot be decided.
  func isEqual(to other: ComparedValue) -> Bool? {
    guard let value, let otherValue = other.value else {
      return value == nil && other.value == nil
    }
    if let written, let otherWritten = other.written { return written == otherWritten }
    return areEqual(value, otherValue)
  }
}
