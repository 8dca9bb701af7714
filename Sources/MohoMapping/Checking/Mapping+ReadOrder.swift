extension Mapping {
  /// Reads models and compares their keys with the arguments of the initializer
  /// until the order of the keys is known.
  ///
  /// - Throws: ``MappingError`` with code
  ///   ``MappingError/Code/invalidDeclaration`` if a model shows that keys are
  ///   swapped.
  func readComparing(
    into models: inout [Model], from decoder: any FieldDecoder, advance: () throws -> Bool,
    accept: ((inout Model) throws -> Void)?
  ) throws {
    while fieldKeys.comparesOrder {
      guard try advance() else { return }
      var read: [Model] = []
      try parts.readAll(decoder, once(), nil, &read)
      guard var model = read.first else { continue }
      try compareOrder(of: model, readFrom: decoder)
      if let accept { try accept(&model) }
      models.append(model)
    }
    try parts.readAll(decoder, advance, accept, &models)
  }

  private func compareOrder(of model: Model, readFrom decoder: any FieldDecoder) throws {
    for evidence in fieldKeys.comparedOrder {
      // Null for all keys shows nothing. This is known without reading them
      // again.
      guard !evidence.keys.allSatisfy({ (try? decoder.isNull(at: $0)) == true }) else { continue }
      var values: [Int: any AnyValueBox] = [:]
      compareOrder(evidence, of: model) { index in
        if let value = values[index] { return value }
        let value = try? fields[index].read(decoder, index)
        values[index] = value
        return value
      }
    }
    guard fieldKeys.isSound else { throw invalidDeclaration }
  }

  /// Compares the keys of a model with the values that it was made of.
  func compareOrder(of model: Model, madeOf value: (Int) -> (any AnyValueBox)?) {
    for evidence in fieldKeys.comparedOrder {
      compareOrder(evidence, of: model, madeOf: value)
    }
  }

  private func compareOrder(
    _ evidence: OrderEvidence, of model: Model, madeOf value: (Int) -> (any AnyValueBox)?
  ) {
    let order = ArgumentOrder(fields: fields, keys: keys, make: parts.assemble)
    fieldKeys.add(order.issues(ofSharedProperties: evidence.keys, given: value))
    var observations = [order.observations(evidence.keys, of: model, given: value)]
    var evidence = evidence
    evidence.add(observations[0])
    guard evidence.observed > 0 else { return }
    let misplaced = evidence.misplaced
    if !misplaced.isEmpty {
      // As with samples, the exchanged values must be read back exchanged.
      var exchanges: [Int: Int] = [:]
      for (key, other) in misplaced { exchanges[evidence.keys[other]] = evidence.keys[key] }
      let exchanged: (Int) -> (any AnyValueBox)? = { index in
        guard let other = exchanges[index], let box = value(other) else { return value(index) }
        return box.unwrapped.flatMap { fields[index].box($0) } ?? box
      }
      guard let other = parts.assemble(exchanged) else { return }
      observations.append(order.observations(evidence.keys, of: other, given: exchanged))
    }
    fieldKeys.add(observations, about: evidence.keys, issues: order.issues)
  }
}
