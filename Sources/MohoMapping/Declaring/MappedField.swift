/// What a mapping does with one key, with the Swift type of the value erased.
struct MappedField<Model>: Sendable {
  /// The property, or nil for the discriminator of a cluster.
  let keyPath: (any PartialKeyPath<Model> & Sendable)?
  let defaultValue: (any AnyValueBox)?
  /// Reads the key without validating it.
  let read: @Sendable (any FieldDecoder, Int) throws -> any AnyValueBox
  let writeValue: @Sendable (any AnyValueBox, any FieldEncoder, Int) throws -> Void
  let value: @Sendable (UnsafePointer<Model>) -> any AnyValueBox
  /// Boxes a value, or returns nil if it does not have the type of the key.
  let box: @Sendable (Any) -> (any AnyValueBox)?
  let samples: KeySamples
  /// The form of the value in documents.
  let schema: FieldSchema
  /// Validations and repairs of each value that is read, in order.
  var rules: [FieldRule] = []
  /// The merge policy of the key.
  var merge: FieldMerge<Model>?
  /// Merges an inlined model by its own policies. Nil keeps the incoming model.
  var mergeInside: (@Sendable (_ stored: Model, _ incoming: Model) -> (any AnyValueBox)?)?
  /// How a merge patch changes the unknown members that the key or an inlined
  /// model receives.
  var receiver: FieldMemberReceiver?
  /// Returns the supplied value of a store-only key, or nil if no value has its
  /// name and its type.
  var supplied: (@Sendable (SuppliedValues) -> (any AnyValueBox)?)?
}

extension MappedField {
  /// Whether a rule can change values.
  var hasRepair: Bool { rules.contains { if case .repair = $0 { true } else { false } } }
}

/// A key with validations or repairs.
// An object: to copy a field for each model takes longer than to validate a value.
final class RuledField<Model>: Sendable {
  let index: Int
  let value: @Sendable (UnsafePointer<Model>) -> any AnyValueBox
  let rules: [FieldRule]
  let hasRepair: Bool

  /// Nil if the key has no rules.
  init?(_ field: MappedField<Model>, at index: Int) {
    if field.rules.isEmpty { return nil }
    self.index = index
    value = field.value
    rules = field.rules
    hasRepair = field.hasRepair
  }
}

/// How the values of a key are merged.
struct FieldMerge<Model>: Sendable {
  /// The policy, if a database can apply it to the values of a column.
  var columnPolicy: MergePolicy?
  let value: @Sendable (_ stored: Model, _ incoming: Model) -> any AnyValueBox
}

/// A validation or a repair of a model.
enum ModelRule<Model>: Sendable {
  case validation(@Sendable (Model) throws -> Void)
  case repair(@Sendable (Model) -> Model)
}

/// A validation or a repair of the values of a key.
enum FieldRule: Sendable {
  case validation(expectation: String, isValid: @Sendable (any AnyValueBox) throws -> Bool)
  case repair(@Sendable (any AnyValueBox) -> any AnyValueBox)
}

/// A ``ValueBox`` of any type.
protocol AnyValueBox: Sendable {
  /// The value without the optionals around it, or nil.
  var unwrapped: Any? { get }
}

/// The value of a key.
// Erasing to a box and not to `Any`: casting an optional to its own type does
// not distinguish nil from failure.
struct ValueBox<Value: Sendable>: AnyValueBox {
  let value: Value

  var unwrapped: Any? { MohoMapping.unwrapped(value) }
}

extension KeyMapping {
  /// The key with its Swift type erased.
  var field: MappedField<Model> {
    let property = StoredProperty(keyPath)
    let (read, write) = (read, transform.write)
    return MappedField(
      keyPath: keyPath,
      defaultValue: defaultValue.map { ValueBox(value: $0) },
      read: { decoder, index in ValueBox(value: try read(decoder, index)) },
      writeValue: { box, encoder, index in
        if let box = box as? ValueBox<Value> { try write(box.value, encoder, index) }
      },
      value: { model in ValueBox(value: property.value(in: model)) },
      box: { value in (value as? Value).map { ValueBox(value: $0) } },
      samples: samples,
      schema: transform.schema,
      mergeInside: mergeField,
      receiver: receiver.map { FieldMemberReceiver($0) },
      supplied: suppliedBox)
  }

  private var suppliedBox: (@Sendable (SuppliedValues) -> (any AnyValueBox)?)? {
    guard key.traits.contains(.storeOnly) else { return nil }
    let name = key.name
    return { values in
      values.value(of: Value.self, named: name).map { ValueBox(value: $0) }
    }
  }

  private var mergeField: (@Sendable (Model, Model) -> (any AnyValueBox)?)? {
    guard let mergeInside else { return nil }
    let keyPath = keyPath
    return { stored, incoming in
      let merged = mergeInside(stored[keyPath: keyPath], incoming[keyPath: keyPath])
      return merged.map { ValueBox(value: $0) }
    }
  }
}
