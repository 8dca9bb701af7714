/// What a mapping does with one key, with the key's Swift type erased.
struct MappedField<Model>: Sendable {
  /// The property; nil for the discriminator of a cluster, which is none.
  let keyPath: (any PartialKeyPath<Model> & Sendable)?
  let defaultValue: (any AnyValueBox)?
  /// Reads the key, without validating it.
  let read: @Sendable (any FieldDecoder, Int) throws -> any AnyValueBox
  let writeValue: @Sendable (any AnyValueBox, any FieldEncoder, Int) throws -> Void
  let value: @Sendable (UnsafePointer<Model>) -> any AnyValueBox
  /// A value of the key's type that is not in a model; nil of another type.
  let box: @Sendable (Any) -> (any AnyValueBox)?
  /// The values that a check of the declaration gives the key.
  let samples: KeySamples
  /// What is made of each value that is read, in this order.
  var rules: [FieldRule] = []
  /// The value that the key's policy for merges leaves, if it has one.
  var merge: (@Sendable (_ stored: Model, _ incoming: Model) -> (any AnyValueBox)?)?
  /// The value that the policies of an inlined model leave, or nil where the
  /// incoming one stays.
  var mergeInside: (@Sendable (_ stored: Model, _ incoming: Model) -> (any AnyValueBox)?)?
}

/// A validation or a repair of a key's values.
enum FieldRule: Sendable {
  case validation(expectation: String, isValid: @Sendable (any AnyValueBox) throws -> Bool)
  case repair(@Sendable (any AnyValueBox) -> any AnyValueBox)
}

/// A key's value with its Swift type erased: a ``ValueBox`` of that type.
protocol AnyValueBox: Sendable {
  /// The value without the optionals around it; nil of nil.
  var unwrapped: Any? { get }
}

// A box of its own, because a cast of an optional to its own type does not tell
// nil from failure.
struct ValueBox<Value: Sendable>: AnyValueBox {
  let value: Value

  var unwrapped: Any? { MohoMapping.unwrapped(value) }
}

extension KeyMapping {
  /// The key with its Swift type erased.
  var field: MappedField<Model> {
    let property = StoredProperty(keyPath)
    let (read, write) = (read, write)
    return MappedField(
      keyPath: keyPath,
      defaultValue: defaultValue.map { ValueBox(value: $0) },
      read: { decoder, index in ValueBox(value: try read(decoder, index)) },
      writeValue: { held, encoder, index in
        if let held = held as? ValueBox<Value> { try write(held.value, encoder, index) }
      },
      value: { model in ValueBox(value: property.value(in: model)) },
      box: { value in (value as? Value).map { ValueBox(value: $0) } },
      samples: samples,
      mergeInside: mergeField)
  }

  /// What the policies of an inlined model make of the key.
  private var mergeField: (@Sendable (Model, Model) -> (any AnyValueBox)?)? {
    guard let mergeInside else { return nil }
    let keyPath = keyPath
    return { stored, incoming in
      let merged = mergeInside(stored[keyPath: keyPath], incoming[keyPath: keyPath])
      return merged.map { ValueBox(value: $0) }
    }
  }
}
