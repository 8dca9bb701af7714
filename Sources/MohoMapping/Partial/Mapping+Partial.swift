extension Mapping where Model: MappedModel {
  /// Reads the keys that the object contains.
  ///
  /// Null is a value, but only optional keys accept it. Keys that documents do
  /// not hold are never present, unless the decoder supplies their values. An
  /// inlined model is present as a whole if one of its keys is, and a cluster if
  /// its discriminator or a key of a variant is.
  ///
  /// The key that receives unknown members is present if the object has any. In
  /// a JSON document, these are changes of the members of a model or a row: null
  /// removes a member. An array, or null for an object, replaces all members
  /// inside, so that the key is also present if the document has an array or null
  /// in place of a value that contains keys. A key that is mapped to an element
  /// of such an array is then nil or its default if the array does not have it.
  ///
  /// - Throws: ``MappingError`` with the errors of all keys that failed, in
  ///   declaration order.
  public func partial(from decoder: any FieldDecoder) throws -> Partial<Model> {
    try partial(from: decoder, where: \.isDocumented)
  }

  /// Reads the stored keys that a row contains.
  ///
  /// - Throws: The errors of ``partial(from:)``.
  package func partial(fromRow decoder: any FieldDecoder) throws -> Partial<Model> {
    try partial(from: decoder, where: \.isStored)
  }

  private func partial(
    from decoder: any FieldDecoder, where isRead: (FieldKey) -> Bool
  ) throws -> Partial<Model> {
    try checkDeclaration()
    var partial = Partial<Model>()
    var errors: [MappingError] = []
    do {
      partial = try presentKeys(of: decoder, where: isRead)
    } catch let error as MappingError {
      errors = error.errors
    }
    if decoder.reportsUnknownKeys { errors += decoder.unknownKeyErrors() }
    if let error = MappingError(errors) { throw error }
    return partial
  }

  /// A mapping that reads partial models, for adapters of arrays and streams. It
  /// does not write.
  package var ofPartials: Mapping<Partial<Model>> {
    let mapping = self
    return Mapping<Partial<Model>>(readingPartsOf: self) { decoder in
      try mapping.presentKeys(of: decoder, where: \.isDocumented)
    }
  }

  private func presentKeys(
    of decoder: any FieldDecoder, where isRead: (FieldKey) -> Bool
  ) throws -> Partial<Model> {
    if fieldKeys.isCluster { return try partial(ofCluster: decoder) }
    var partial = Partial<Model>()
    var errors: [MappingError] = []
    let (receiver, arrays) = (fieldKeys.receiver, fieldKeys.arrays)
    let patch = fieldKeys.needsMergePatches ? decoder as? any MergePatchDecoder : nil
    let supplied = decoder.suppliedValues
    for (index, key) in keys.enumerated() where !key.isTransient {
      let suppliedValue = supplied.flatMap { fields[index].supplied?($0) }
      guard suppliedValue != nil || isRead(key) else { continue }
      let array = arrays.isEmpty ? nil : arrays.first { $0.keys.contains(index) }
      do {
        if let suppliedValue {
          partial.values[index] = try validated(suppliedValue, at: index, readFrom: decoder)
        } else if index == receiver, let patch {
          try partial.readMembers(at: index, from: patch) {
            try presentValue(from: decoder, at: index, in: array)
          }
        } else {
          partial.values[index] = try presentValue(from: decoder, at: index, in: array)
        }
      } catch {
        errors += self.errors(error, decoder, index)
      }
    }
    if let error = MappingError(errors) { throw error }
    return partial
  }

  /// Returns the value of a key, or nil if it is absent.
  ///
  /// - Parameter array: The array that contains the key, if there is one.
  private func presentValue(
    from decoder: any FieldDecoder, at index: Int, in array: KeyArray?
  ) throws -> (any AnyValueBox)? {
    if fieldKeys.isAbsent(at: index, in: decoder) {
      // A patch replaces the array that contains the key.
      guard array != nil, let patch = decoder as? any MergePatchDecoder,
        fieldKeys.isRemoved(at: index, by: patch)
      else { return nil }
    }
    return try value(from: decoder, at: index)
  }

  /// Reads the whole cluster if the object contains any of its keys.
  private func partial(ofCluster decoder: any FieldDecoder) throws -> Partial<Model> {
    var partial = Partial<Model>()
    guard !fieldKeys.areAbsent(in: decoder) else { return partial }
    do {
      if let index = fieldKeys.receiver, let patch = decoder as? any MergePatchDecoder {
        try partial.readMembers(at: index, from: patch) { try value(from: decoder, at: index) }
        return partial
      }
      let whole = try value(from: decoder, at: keys.count - 1)
      for index in keys.indices { partial.values[index] = whole }
    } catch {
      throw failure(ofCluster: error, decoder)
    }
    return partial
  }

  /// Returns the model that has the values of a partial model, and for other keys
  /// their defaults, or nil for optional keys.
  ///
  /// - Throws: ``MappingError`` with an error of code
  ///   ``MappingError/Code/missingValue`` for each required key that is absent,
  ///   in declaration order.
  public func model(from partial: Partial<Model>) throws -> Model {
    try checkDeclaration()
    try partial.checkProperties()
    // The defaults and nil are what the keys read from an object without keys.
    let empty = ContentDecoder([], keys: fieldKeys)
    var values = partial.values
    var errors: [MappingError] = []
    for index in keys.indices where values[index] == nil {
      do {
        values[index] = try fields[index].read(empty, index)
      } catch {
        errors.append(MappingError(.missingValue, model: name, key: keys[index].name))
      }
    }
    if let error = MappingError(errors) { throw error }
    guard let model = parts.assemble({ values[$0] }) else {
      throw MappingError(.missingValue, model: name)
    }
    return model
  }

  /// Writes the present keys, in declaration order.
  ///
  /// - Throws: As ``encode(_:to:)-(Model,_)``; ``MappingError`` if a property that is not a
  ///   key was set.
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
    try partial.checkProperties()
    var errors: [MappingError] = []
    for index in order {
      // Encoders of rows receive the resulting members, not the changes.
      if let members = partial.members, members.index == index, !encoder.validatesModels {
        try write(members, partial.values[index], to: encoder, of: partial)
        continue
      }
      guard var box = partial.values[index] else { continue }
      do {
        if hasRules && encoder.validatesModels {
          box = try validated(box, at: index, writtenTo: encoder)
        }
        try fields[index].writeValue(box, encoder, index)
      } catch {
        let failure = fieldKeys.failure(error, at: index, of: encoder) {
          box.unwrapped ?? "nil"
        }
        try encoder.collect(failure, in: &errors)
      }
    }
    try errors.check()
  }
}

extension Mapping where Model: MappedModel {
  private func write(
    _ members: PartialMembers, _ whole: (any AnyValueBox)?, to encoder: any FieldEncoder,
    of partial: Partial<Model>
  ) throws {
    do {
      try write(members, whole, to: encoder)
    } catch {
      throw fieldKeys.failure(error, at: members.index, of: encoder) { partial }
    }
  }
}

extension Mapping {
  /// Creates a mapping that only reads, by a function.
  fileprivate init<Whole>(
    readingPartsOf mapping: Mapping<Whole>,
    _ read: @escaping @Sendable (any FieldDecoder) throws -> Model
  ) where Model == Partial<Whole> {
    var parts = MappingParts<Model>(
      name: mapping.name, fieldKeys: mapping.fieldKeys,
      declaredIssues: mapping.parts.declaredIssues, fields: [], keyPaths: [],
      writers: KeyWriters([], mapping.fieldKeys), read: read,
      readAll: MappingParts.loop(read),
      rebuild: { partial, _ in partial.pointee }, assemble: { _ in nil })
    parts.identity = mapping.identity
    self.init(parts)
  }
}

extension FieldKey {
  /// Whether documents can contain the key.
  fileprivate var isDocumented: Bool { source != nil || receivesUnknownMembers }
}
