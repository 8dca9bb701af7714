extension Mapping where Model: MappedModel {
  /// Reads the keys that the object contains.
  ///
  /// Null is a value, but only optional keys accept it. Keys that documents do
  /// not hold are never present. An inlined model is present as a whole if one
  /// of its keys is, and a cluster if its discriminator or a key of a variant
  /// is. The key that receives unknown members is present if there are any.
  ///
  /// - Throws: ``MappingError`` with the errors of all keys that failed, in
  ///   declaration order.
  public func partial(from decoder: any FieldDecoder) throws -> Partial<Model> {
    try partial(from: decoder) { $0.source != nil || $0.receivesUnknownMembers }
  }

  /// Reads the stored keys that a row contains.
  ///
  /// - Throws: The errors of ``partial(from:)``.
  package func partial(fromRow decoder: any FieldDecoder) throws -> Partial<Model> {
    try partial(from: decoder, where: \.isStored)
  }

  private func partial(
    from decoder: any FieldDecoder, where isRead: (MappingKey) -> Bool
  ) throws -> Partial<Model> {
    try checkDeclaration()
    if mappingKeys.isCluster { return try partial(ofCluster: decoder) }
    var partial = Partial<Model>()
    var errors: [MappingError] = []
    for (index, key) in keys.enumerated() where !key.isTransient && isRead(key) {
      guard !mappingKeys.isAbsent(at: index, in: decoder) else { continue }
      do {
        partial.values[index] = try value(from: decoder, at: index)
      } catch {
        errors += self.errors(error, decoder, index)
      }
    }
    if let error = MappingError(errors + unknownKeyErrors(decoder)) { throw error }
    return partial
  }

  private func unknownKeyErrors(_ decoder: any FieldDecoder) -> [MappingError] {
    decoder.reportsUnknownKeys ? decoder.unknownKeyErrors() : []
  }

  /// Reads the whole cluster if the object contains any of its keys.
  private func partial(ofCluster decoder: any FieldDecoder) throws -> Partial<Model> {
    var partial = Partial<Model>()
    var errors: [MappingError] = []
    if !mappingKeys.areAbsent(in: decoder) {
      do {
        let whole = try value(from: decoder, at: keys.count - 1)
        for index in keys.indices { partial.values[index] = whole }
      } catch {
        let failure = failure(ofCluster: error, decoder)
        guard let error = failure as? MappingError else { throw failure }
        errors.append(error)
      }
    }
    if let error = MappingError(errors + unknownKeyErrors(decoder)) { throw error }
    return partial
  }

  /// Writes the present keys, in declaration order.
  ///
  /// - Throws: As ``encode(_:to:)-(Model,_)``.
  public func encode(_ partial: Partial<Model>, to encoder: any FieldEncoder) throws {
    try checkDeclaration()
    try encode(partial, order: partial.values.keys.sorted(), to: encoder)
  }

  /// Writes some keys if they are present.
  ///
  /// The declaration must not have issues.
  ///
  /// - Parameters:
  ///   - order: The indexes of the keys, in the order of writing.
  package func encode(
    _ partial: Partial<Model>, order: [Int], to encoder: any FieldEncoder
  ) throws {
    for index in order {
      guard var box = partial.values[index] else { continue }
      do {
        if hasRules && encoder.validatesModels {
          box = try validated(box, at: index, writtenTo: encoder)
        }
        try fields[index].writeValue(box, encoder, index)
      } catch {
        throw mappingKeys.failure(error, at: index, of: encoder) { box.unwrapped ?? "nil" }
      }
    }
  }
}
