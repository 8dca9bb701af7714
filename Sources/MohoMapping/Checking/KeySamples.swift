/// The values that a check of the declaration gives a key, with the key's Swift
/// type erased.
struct KeySamples: Sendable {
  /// The Swift type without the optionals around it. Keys of one such type can be
  /// swapped.
  let type: Any.Type
  /// The sample that the type or the transform declares.
  let declared: @Sendable (FieldSample) -> (any AnyValueBox)?
  /// Other values of the key: what it reads of common contents, or a value of its
  /// type that its transform may not be able to write.
  let found: @Sendable (FieldSample) -> [any AnyValueBox]
  /// Values that need no sample: an empty collection, and nil.
  let empty: [any AnyValueBox]
}

extension KeyMapping {
  var samples: KeySamples {
    let (sample, read, type) = (sample, read, description.type)
    let isTransient = description.isTransient
    return KeySamples(
      type: unwrapped(Value.self),
      declared: { isTransient ? nil : sample($0).map { ValueBox(value: $0) } },
      found: { sample in
        // Models have samples of their keys, or none.
        let related = (Value.self as? any FieldValue.Type)?.relatedModels
        guard related == nil || related?.isReference == true else { return [] }
        var values: [any AnyValueBox] = FieldContent.common(of: type, at: sample.position)
          .compactMap { content in
            (try? read(ContentDecoder([content]), 0)).map { ValueBox(value: $0) }
          }
        if let sample = sampleOfType(Value.self, sample), let value = sample as? Value {
          values.append(ValueBox(value: value))
        }
        return values
      },
      empty: Self.empty)
  }

  /// An empty collection and nil, where the type has them.
  private static var empty: [any AnyValueBox] {
    var values: [any AnyValueBox] = []
    if let type = unwrapped(Value.self) as? any CollectionField.Type,
      let value = type.empty as? Value
    {
      values.append(ValueBox(value: value))
    }
    if let type = Value.self as? any AnyOptionalValue.Type,
      let none = (type.arrayOfNil as? [Value])?.first
    {
      values.append(ValueBox(value: none))
    }
    return values
  }
}

/// A sample that a type has, whatever its key's transform is.
func sampleOfType(_ type: Any.Type, _ sample: FieldSample) -> Any? {
  func element<Cases: CaseIterable>(_ type: Cases.Type) -> Any? {
    let cases = Array(type.allCases)
    return cases.isEmpty ? nil : cases[sample.index(among: cases.count)]
  }
  let type = unwrapped(type)
  if let type = type as? any FieldValue.Type, let value = type.sample(sample) { return value }
  return (type as? any CaseIterable.Type).flatMap { element($0) }
}
