extension MappedModel {
  /// An object.
  public static var fieldType: FieldType { .object }

  /// The model itself.
  public static var relatedModels: RelatedModels? { RelatedModels(Self.self) }

  /// Reads a model as the value of a key.
  ///
  /// - Throws: ``MappingError`` with the errors of all keys that failed.
  public static func decode(from decoder: any FieldDecoder, at index: Int) throws -> Self {
    try mapping.model(from: decoder, at: index)
  }

  /// Writes the model as the value of a key.
  public func encode(to encoder: any FieldEncoder, at index: Int) throws {
    try Self.mapping.encode(self, to: encoder, at: index)
  }

  /// A model made of samples. Nil if a key has no sample, or if the sample
  /// would contain a model of the same type.
  public static func sample(_ sample: FieldSample) -> Self? {
    sample.nested(in: Self.self).flatMap { mapping.sample($0) }
  }
}
