extension Optional: FieldValue where Wrapped: FieldValue {
  /// The type of the wrapped value.
  public static var fieldType: FieldType { Wrapped.fieldType }

  /// The schema of the wrapped type, or null.
  public static var fieldSchema: FieldSchema { Wrapped.fieldSchema.optional }

  /// True.
  public static var isOptionalField: Bool { true }

  /// The related models of the wrapped type.
  public static var relatedModels: RelatedModels? { Wrapped.relatedModels }

  /// Reads the wrapped value, or nil if the value is null or absent.
  @inlinable
  public static func decode(from decoder: any FieldDecoder, at index: Int) throws -> Wrapped? {
    try decoder.isNull(at: index) ? nil : Wrapped.decode(from: decoder, at: index)
  }

  /// Writes the wrapped value, or null.
  @inlinable
  public func encode(to encoder: any FieldEncoder, at index: Int) throws {
    if let self {
      try self.encode(to: encoder, at: index)
    } else {
      try encoder.encodeNull(at: index)
    }
  }

  /// A sample of the wrapped type.
  public static func sample(_ sample: FieldSample) -> Wrapped?? {
    .some(Wrapped.sample(sample.omissible))
  }
}
