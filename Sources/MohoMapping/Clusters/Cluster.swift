/// The variants of a cluster and how one of them is chosen.
struct Cluster<Model: Sendable>: Sendable {
  let name: String
  let discriminator: FieldPath?
  let alternatives: [FieldPath]
  let variants: [ModelVariant<Model>]
  private let choice: VariantChoice
  // To copy a variant takes longer than to call its functions.
  private let reads: [ModelVariant<Model>.Read]

  /// The key of the discriminator, if there is one, and the key of the
  /// variant's fields.
  let fieldKeys: FieldKeys

  private let paths = ProbedPaths()

  /// The index of the key of the variant's fields.
  var payload: Int { fieldKeys.keys.count - 1 }

  init(
    name: String, discriminator: FieldPath?, alternatives: [FieldPath] = [],
    variants: [ModelVariant<Model>]
  ) {
    self.name = name
    self.discriminator = discriminator
    self.alternatives = alternatives
    self.variants = variants
    reads = variants.map(\.read)
    let choice = VariantChoice(variants)
    self.choice = choice
    var keys = [FieldKey.synthetic("fields", at: FieldPath([]), .object)]
    if let discriminator {
      let name = discriminator.description
      keys.insert(.synthetic(name, at: discriminator, alternatives: alternatives, .string), at: 0)
    }
    let (payload, paths) = (keys.count - 1, paths)
    fieldKeys = FieldKeys(
      keys, of: name, inlined: [payload: variants.compactMap(\.payload)], isCluster: true
    ) { decoder in
      let variant =
        discriminator == nil
        ? variants.index(matching: FieldProbe(decoder: decoder, index: payload, paths: paths))
        : (try? decoder.string(at: 0)).flatMap { choice.index(tagged: $0) }
      return variant.map { variants[$0].payload.map { [$0] } ?? [] }
    }
  }

  func read(_ decoder: any FieldDecoder) throws -> Model {
    discriminator == nil ? try readProbing(decoder) : try readTagged(decoder)
  }

  private func readTagged(_ decoder: any FieldDecoder) throws -> Model {
    do {
      let tag = try decoder.string(at: 0)
      if let variant = choice.index(tagged: tag) {
        return try reads[variant](decoder, payload, tag)
      }
      throw decoder.error(.invalidValue, at: 0, expected: oneOf(tags.map(quoted)))
    } catch let error as MappingError where error.model == nil {
      throw MappingError(error.errors.map { $0.naming(model: name, key: fieldKeys.keys[0].name) })
        ?? error
    }
  }

  private func readProbing(_ decoder: any FieldDecoder) throws -> Model {
    let probe = FieldProbe(decoder: decoder, index: payload, paths: paths)
    guard let variant = variants.index(matching: probe) else {
      throw decoder.error(.invalidValue, at: payload, expected: expectation)
    }
    return try reads[variant](decoder, payload, "")
  }

  /// The values of the discriminator.
  private var tags: [String] {
    variants.compactMap { if case .tag(let tag) = $0.choice { tag } else { nil } }
  }

  /// The variants, for messages.
  private var expectation: String {
    discriminator == nil
      ? oneOf(variants.compactMap { $0.payload.map { "`\($0)`" } }) : oneOf(tags.map(quoted))
  }

  private func oneOf(_ choices: [String]) -> String {
    choices.count == 1 ? choices[0] : "one of " + choices.joined(separator: ", ")
  }

  /// Returns a sample of the variant that the position selects, or of the next
  /// variant that has samples.
  func sample(_ sample: FieldSample) -> Model? {
    guard !variants.isEmpty else { return nil }
    let (position, choice) = sample.position.quotientAndRemainder(dividingBy: variants.count)
    return (variants[choice...] + variants[..<choice]).lazy
      .compactMap { $0.sample(sample.at(position)) }.first
  }
}

extension Cluster {
  /// One of the two keys. Each of them is read as the whole model.
  private struct Part {
    let keyPath: (any PartialKeyPath<Model> & Sendable)?
    let write: @Sendable (Model, any FieldEncoder, Int) throws -> Void
  }

  var fields: [MappedField<Model>] {
    parts.map { part in
      MappedField(
        keyPath: part.keyPath,
        defaultValue: nil,
        read: { decoder, _ in ValueBox(value: try read(decoder)) },
        writeValue: { box, encoder, index in
          if let box = box as? ValueBox<Model> { try part.write(box.value, encoder, index) }
        },
        value: { model in ValueBox(value: model.pointee) },
        box: { value in (value as? Model).map { ValueBox(value: $0) } },
        samples: KeySamples(
          type: Model.self, declared: { sample($0).map { ValueBox(value: $0) } },
          found: { _ in [] }, empty: []),
        schema: .any,
        mergeInside: { stored, incoming in
          variants.lazy.compactMap { $0.merge?(stored, incoming) }.first.map { ValueBox(value: $0) }
        },
        receiver: FieldMemberReceiver(receiver))
    }
  }

  var writers: [KeyWriter] {
    parts.map { part in
      // SAFETY: Callers pass the address of an initialized `Model`.
      KeyWriter { model, encoder, index in
        try part.write(model.assumingMemoryBound(to: Model.self).pointee, encoder, index)
      } value: { model in
        model.assumingMemoryBound(to: Model.self).pointee
      }
    }
  }

  private var parts: [Part] {
    let (tags, writes) = (variants.map(\.tag), variants.map(\.write))
    let tag = Part(keyPath: nil) { model, encoder, index in
      for tag in tags {
        if let tag = tag(model) { return try encoder.encode(tag, at: index) }
      }
      throw noVariant
    }
    let payload = Part(keyPath: \Model.self) { model, encoder, index in
      for write in writes where try write(model, encoder, index) { return }
      throw noVariant
    }
    return discriminator == nil ? [payload] : [tag, payload]
  }

  private var noVariant: MappingError {
    MappingError(.invalidValue, found: "model of no variant", expected: expectation)
  }
}

extension Cluster {
  var issues: [DeclarationIssue] {
    var issues: [String] = []
    if name.isEmpty { issues.append("the mapping has no name") }
    if variants.isEmpty { issues.append("the cluster has no variants") }
    let paths = [discriminator].compactMap { $0 } + alternatives
    issues += FieldPath.problems(discriminator, alternatives).map { "the discriminator: \($0)" }
    if paths.contains(where: \.components.isEmpty) {
      issues.append("the discriminator has no path")
    }
    for path in paths where path.elementPath != nil {
      issues.append("the discriminator: `\(path)` collects an array, but the value is a string")
    }
    for (position, tag) in tags.enumerated() where tags[..<position].contains(tag) {
      issues.append("two variants have the discriminator value \(quoted(tag))")
    }
    if variants.count(where: \.choice.isUnknown) > 1 {
      issues.append("two variants accept unknown values")
    }
    for variant in variants where variant.choice.isByCondition != (discriminator == nil) {
      let payload = variant.payload.map { "the variant `\($0)`" } ?? "a variant"
      let missing = discriminator == nil ? "condition" : "value of the discriminator"
      issues.append("\(payload) has no \(missing)")
    }
    return issues.map(DeclarationIssue.init)
  }
}

/// The positions of variants by the value of the discriminator.
private struct VariantChoice: Sendable {
  private var tagged: [String: Int] = [:]
  private var unknown: Int?

  init<Model>(_ variants: [ModelVariant<Model>]) {
    for (index, variant) in variants.enumerated().reversed() {
      switch variant.choice {
      case .tag(let tag): tagged[tag] = index
      case .unknown: unknown = index
      case .fields: break
      }
    }
  }

  func index(tagged tag: String) -> Int? { tagged[tag] ?? unknown }
}

extension Array {
  fileprivate func index<Model>(matching probe: FieldProbe) -> Int?
  where Element == ModelVariant<Model> {
    indices.first { index in
      if case .fields(let condition) = self[index].choice { condition(probe) } else { false }
    }
  }
}

extension ModelVariant.Choice {
  fileprivate var isUnknown: Bool {
    if case .unknown = self { true } else { false }
  }

  fileprivate var isByCondition: Bool {
    if case .fields = self { true } else { false }
  }
}
