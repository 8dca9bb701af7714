extension Mapping {
  /// Returns sample models for tests. The first half has a value for every key.
  /// The others have nil for some optional keys.
  ///
  /// The models pass the validations, with repairs applied. The array is empty
  /// if a required key has no samples, or if the validations fail for every
  /// sample. See ``FieldValue/sample(_:)`` and the `samples:` parameter of
  /// ``Transform``.
  public func samples(_ count: Int) -> [Model] { validSamples(count).models }

  /// Returns the models of ``samples(_:)``, or the reasons for an empty array.
  package func validSamples(_ count: Int) -> (models: [Model], problems: [String]) {
    let context = SampleContext(models: .valid)
    let models = models(count, context)
    return (models, models.isEmpty ? context.problems : [])
  }

  private func models(_ count: Int, _ context: SampleContext) -> [Model] {
    let optional = keys.indices.filter { keys[$0].isOptional && !keys[$0].isTransient }
    let nulls = ContentDecoder(keys.map { _ in .null })
    return (0..<count).compactMap { number in
      let sample = FieldSample(position: number, round: number % 3, context: context)
      guard let model = self.sample(sample) else { return nil }
      guard number >= (count + 1) / 2, !optional.isEmpty else { return model }
      var values: [Int: any AnyValueBox] = [:]
      for (position, index) in optional.enumerated() where (number + position) % 2 == 0 {
        values[index] = try? fields[index].read(nulls, index)
      }
      let reduced = replacing(values, in: model)
      return (try? validated(reduced)) ?? model
    }
  }

  /// Returns a model made of samples, or nil if a required key has none.
  func sample(_ sample: FieldSample) -> Model? {
    let context = sample.context
    guard context.isValid, !parts.modelRules.isEmpty else { return assembled(sample) }
    for attempt in 0..<64 {
      guard let model = assembled(sample.advanced(by: attempt * fields.count)) else { return nil }
      if let model = try? validated(model) { return model }
    }
    context.add("the validations of `\(name)` fail for every sample")
    return nil
  }

  private func assembled(_ sample: FieldSample) -> Model? {
    var values: [any AnyValueBox] = []
    for index in fields.indices {
      let reports = sample.context.reports
      guard let value = value(of: index, sample.advanced(by: index)) else {
        // A nested model reports its own key.
        if sample.context.reports == reports {
          sample.context.add("`\(name).\(keys[index].name)` has no samples")
        }
        return nil
      }
      values.append(value)
    }
    return parts.assemble { values[$0] }
  }

  /// Returns the first sample of a key that passes its validations.
  private func value(of index: Int, _ sample: FieldSample) -> (any AnyValueBox)? {
    let (field, context) = (fields[index], sample.context)
    if keys[index].isTransient { return field.defaultValue }
    let checksRules = context.isValid && !field.rules.isEmpty
    var isRefused = false
    func allowed(_ box: any AnyValueBox) -> (any AnyValueBox)? {
      guard checksRules else { return box }
      let valid = try? validated(box, at: index) { _, _ in MappingError(.failedValidation) }
      if valid == nil { isRefused = true }
      return valid
    }

    for attempt in 0..<(checksRules ? 64 : 1) {
      let box = field.samples.declared(sample.advanced(by: attempt))
      if let box, box.unwrapped != nil, let value = allowed(box) { return value }
    }
    for box in field.samples.found(sample) where box.unwrapped != nil {
      let isWritten = (try? field.writeValue(box, FieldRecorder(), 0)) != nil
      if isWritten, let value = allowed(box) { return value }
    }
    for box in [field.defaultValue].compactMap({ $0 }) + field.samples.empty.reversed() {
      if let value = allowed(box) { return value }
    }
    if isRefused {
      context.add("the validations of `\(name).\(keys[index].name)` fail for every sample")
    }
    return nil
  }
}
