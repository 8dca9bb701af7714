extension Mapping where Model: MappedModel {
  /// Reads those keys that a decoder holds.
  ///
  /// A key is present where it is not absent; null is a value, of optional keys
  /// alone. Keys that documents do not hold are never present. An inlined model
  /// is present, as a whole, where one of its keys is; a cluster where its
  /// discriminator is or a key of a variant. The key of the unknown members is
  /// present where there are any.
  ///
  /// - Throws: ``MappingError`` with all keys that failed, in declaration
  ///   order.
  public func partial(from decoder: any FieldDecoder) throws -> Partial<Model> {
    try checkDeclaration()
    if mappingKeys.isCluster { return try partial(ofCluster: decoder) }
    var partial = Partial<Model>()
    var errors: [MappingError] = []
    for (index, key) in keys.enumerated()
    where !key.isTransient && (key.source != nil || key.receivesUnknownMembers) {
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

  /// Reads the whole of a cluster, if a decoder holds any of its keys.
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

  /// Writes the keys that are present, in declaration order.
  ///
  /// - Throws: As ``encode(_:to:)-(Model,_)``.
  public func encode(_ partial: Partial<Model>, to encoder: any FieldEncoder) throws {
    try checkDeclaration()
    try encode(partial, order: partial.values.keys.sorted(), to: encoder)
  }

  /// Writes those of some keys that are present.
  ///
  /// The mapping's declaration must be sound.
  ///
  /// - Parameters:
  ///   - partial: The values.
  ///   - order: The positions of the keys, in the order of writing.
  ///   - encoder: Takes the fields.
  package func encode(
    _ partial: Partial<Model>, order: [Int], to encoder: any FieldEncoder
  ) throws {
    for index in order {
      guard var held = partial.values[index] else { continue }
      do {
        if hasRules && encoder.validatesModels {
          held = try validated(held, at: index, writtenTo: encoder)
        }
        try fields[index].writeValue(held, encoder, index)
      } catch {
        throw mappingKeys.failure(error, at: index, of: encoder) { held.unwrapped ?? "nil" }
      }
    }
  }
}
