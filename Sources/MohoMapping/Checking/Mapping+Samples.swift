extension Mapping {
  /// Models of sample values, for tests: the first half have a value for every
  /// key, the others nil for some of the keys that allow it.
  ///
  /// They meet the validations, and are as the repairs leave them. Empty where a
  /// required key has no samples, or the validations refuse all of them; see
  /// ``FieldValue/sample(_:)`` and the `samples:` of ``Transform``.
  public func samples(_ count: Int) -> [Model] { validSamples(count).models }

  /// The models of ``samples(_:)``; without any, why there are none.
  package func validSamples(_ count: Int) -> (models: [Model], problems: [String]) {
    let context = SampleContext(models: .valid)
    let models = models(count, context)
    return (models, models.isEmpty ? context.problems : [])
  }

  private func models(_ count: Int, _ context: SampleContext) -> [Model] {
    let optional = keys.indices.filter { keys[$0].isOptional && !keys[$0].isTransient }
    return (0..<count).compactMap { number in
      let sample = FieldSample(position: number, round: number % 3, context: context)
      guard let model = self.sample(sample) else { return nil }
      guard number >= (count + 1) / 2, !optional.isEmpty else { return model }
      var values: [Int: any AnyValueBox] = [:]
      for (position, index) in optional.enumerated() where (number + position) % 2 == 0 {
        values[index] = try? fields[index].read(NullDecoder(), index)
      }
      let reduced = replacing(values, in: model)
      return (try? validated(reduced)) ?? model
    }
  }

  /// A model of the samples of its keys; nil where a required key has none.
  func sample(_ sample: FieldSample) -> Model? {
    let context = sample.context
    guard context.isValid, !modelRules.isEmpty else { return assembled(sample) }
    for attempt in 0..<64 {
      guard let model = assembled(sample.advanced(by: attempt * fields.count)) else { return nil }
      if let model = try? validated(model) { return model }
    }
    context.add("the validations of `\(name)` refuse every sample")
    return nil
  }

  private func assembled(_ sample: FieldSample) -> Model? {
    var values: [any AnyValueBox] = []
    for index in fields.indices {
      let reports = sample.context.reports
      guard let value = value(of: index, sample.advanced(by: index)) else {
        // A nested model has named its own key.
        if sample.context.reports == reports {
          sample.context.add("`\(name).\(keys[index].name)` has no samples")
        }
        return nil
      }
      values.append(value)
    }
    return assemble { values[$0] }
  }

  /// The sample of a key: the first value that its rules allow.
  private func value(of index: Int, _ sample: FieldSample) -> (any AnyValueBox)? {
    let (field, context) = (fields[index], sample.context)
    if keys[index].isTransient { return field.defaultValue }
    let checksRules = context.isValid && !field.rules.isEmpty
    var isRefused = false
    func allowed(_ held: any AnyValueBox) -> (any AnyValueBox)? {
      guard checksRules else { return held }
      let valid = try? validated(held, at: index) { _, _ in MappingError(.failedValidation) }
      if valid == nil { isRefused = true }
      return valid
    }

    for attempt in 0..<(checksRules ? 64 : 1) {
      let held = field.samples.declared(sample.advanced(by: attempt))
      if let held, held.unwrapped != nil, let value = allowed(held) { return value }
    }
    for held in field.samples.found(sample) where held.unwrapped != nil {
      let isWritten = (try? field.writeValue(held, FieldRecorder(), 0)) != nil
      if isWritten, let value = allowed(held) { return value }
    }
    for held in [field.defaultValue].compactMap({ $0 }) + field.samples.empty.reversed() {
      if let value = allowed(held) { return value }
    }
    if isRefused {
      context.add("the validations of `\(name).\(keys[index].name)` refuse every sample")
    }
    return nil
  }
}
