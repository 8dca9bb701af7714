extension Transform where Value: RawRepresentable, Value.RawValue: FieldValue {
  /// A raw value, of which those that the type does not have are read as one
  /// of its values. Written is that value's own raw value: the unknown one is
  /// lost, where ``OpenEnum`` keeps it.
  ///
  /// A raw value of another type is an error.
  ///
  /// - Parameter unknown: The value for raw values that the type does not have.
  public static func rawValue(unknown: Value) -> Transform<Value> {
    Transform<Value.RawValue>.standard.map(
      to: { Value(rawValue: $0) ?? unknown }, from: { $0.rawValue }
    ).sampled { sample in
      (Value.self as? any FieldValue.Type)?.sample(sample) as? Value
    }
  }
}
