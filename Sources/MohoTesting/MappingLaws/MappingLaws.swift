public import MohoMapping

/// The laws of every mapping, checked with sample models.
///
/// ```swift
/// @Test func episodesSatisfyTheMappingLaws() {
///   #expect(MappingLaws.violations(of: Episode.self) == [])
/// }
/// ```
///
/// The laws:
/// - The declaration has no issues.
/// - A model that is written and read again is equal, except for transient
///   properties.
/// - Each key is written once, in declaration order.
/// - An absent key has its default, is nil, or is an error.
/// - A null key is nil or an error. With the trait `nullIsAbsent`, it is read
///   as an absent key.
/// - The difference between two models leads from one to the other.
public enum MappingLaws {
  /// Returns a description of each violation of the laws.
  ///
  /// - Parameters:
  ///   - model: The model.
  ///   - samples: Models to check the laws with. By default, models are created
  ///     from the samples of types and transforms, including nested models. A
  ///     required key without samples is reported. If the validations fail for
  ///     every created model, the laws are checked without validations.
  public static func violations<Model: MappedModel>(
    of model: Model.Type, samples: [Model] = []
  ) -> [String] {
    let mapping = Model.mapping
    guard mapping.issues.isEmpty else { return mapping.issues.map(\.description) }
    var check = MappingCheck(mapping: mapping)
    var samples = samples
    if samples.isEmpty {
      let made = mapping.validSamples(8)
      samples = made.models
      if samples.isEmpty {
        check = MappingCheck(mapping: mapping.withoutRules)
        samples = check.mapping.validSamples(8).models
      }
      guard !samples.isEmpty else {
        return made.problems.map {
          "\($0): provide samples for its type or transform, or pass models to check"
        }
      }
    }
    for sample in samples {
      check.roundTrip(sample)
      check.presence(sample)
    }
    for (old, new) in zip(samples, samples.dropFirst()) { check.difference(from: old, to: new) }
    return check.violations
  }
}

private struct MappingCheck<Model: MappedModel> {
  let mapping: Mapping<Model>
  private(set) var violations: [String] = []

  init(mapping: Mapping<Model>) { self.mapping = mapping }

  mutating func roundTrip(_ model: Model) {
    guard let contents = written(model) else { return }
    do {
      let again = try mapping.model(from: decoder(of: contents))
      let changed = mapping.changedKeys(from: model, to: again)
      if !changed.isEmpty {
        report("\(changed.joined(separator: ", ")) changed when it was read back", model)
      }
    } catch {
      report("what was written cannot be read back: \(error)", model)
    }
  }

  /// Omits each key in turn, and makes it null.
  mutating func presence(_ model: Model) {
    guard let contents = written(model) else { return }
    for (index, key) in mapping.keys.enumerated() where !key.isTransient {
      for content in [nil, FieldContent.null] {
        var changed = contents
        changed[index] = content
        let what = content == nil ? "absent" : "null"
        let isAbsent = content == nil || key.traits.contains(.nullIsAbsent)
        let isAllowed = key.isOptional || (isAbsent && key.hasDefault)
        do {
          _ = try mapping.model(from: decoder(of: changed))
          if !isAllowed { report("\(key.name) is read although it is \(what)", model) }
        } catch {
          // A validation can reject values that the type allows.
          let codes = (error as? MappingError)?.errors.map(\.code)
          if isAllowed, codes?.contains(.failedValidation) != true {
            report("\(key.name) is not read when it is \(what): \(error)", model)
          }
        }
      }
    }
  }

  mutating func difference(from old: Model, to new: Model) {
    let reached = Partial(from: old, to: new).applied(to: old)
    if !mapping.areEqual(reached, new) { report("the difference does not lead to it", new) }
  }

  /// Returns the written values of a model by the indexes of their keys.
  private mutating func written(_ model: Model) -> [FieldContent?]? {
    // The keys decide whether unknown members have an order.
    let recorder = FieldRecorder(keys: mapping.fieldKeys, path: nil)
    do {
      try mapping.encode(model, to: recorder)
    } catch {
      report("it cannot be written: \(error)", model)
      return nil
    }
    var rest = recorder.contents[...]
    let contents = mapping.keys.map { $0.isTransient ? nil : rest.popFirst() }
    if !rest.isEmpty { report("a key is written more than once", model) }
    return contents
  }

  private func decoder(of contents: [FieldContent?]) -> ContentDecoder {
    ContentDecoder(contents, keys: mapping.fieldKeys)
  }

  private mutating func report(_ violation: String, _ model: Model) {
    violations.append("\(violation) - \(mapping.description(of: model))")
  }
}
