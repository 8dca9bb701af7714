/// One of the forms that the models of a cluster have: an enum's case with its
/// payload, or one type of several behind a protocol.
///
/// Variants are made by the leading-dot declarations of
/// ``Mapping/init(_:discriminator:alternatives:_:)`` and
/// ``Mapping/init(_:choosing:)``.
public struct ModelVariant<Model>: Sendable {
  /// How a variant is recognized when a model is read.
  enum Choice: Sendable {
    /// By the discriminator's value.
    case tag(String)
    /// By what the object holds.
    case fields(@Sendable (FieldProbe) -> Bool)
    /// By a value of the discriminator that no other variant has.
    case unknown
  }

  let choice: Choice
  /// The model whose keys lie beside the discriminator, if there is one.
  let payload: (any MappedModel.Type)?
  /// Makes the model of the object at an index and the discriminator's value.
  let read: @Sendable (any FieldDecoder, Int, _ tag: String) throws -> Model
  /// The discriminator's value for a model; nil where it is another variant.
  let tag: @Sendable (Model) -> String?
  /// Writes a model, and returns false where it is another variant.
  let write: @Sendable (Model, any FieldEncoder, Int) throws -> Bool
  let sample: @Sendable (FieldSample) -> Model?
  /// Merges two models of the variant by the policies of the payload; nil where
  /// the incoming one stays.
  var merge: (@Sendable (_ stored: Model, _ incoming: Model) -> Model?)?

  /// A variant whose object says so by the discriminator's value.
  ///
  /// - Parameters:
  ///   - tag: The discriminator's value.
  ///   - make: Makes the model of the payload, whose mapping reads the object.
  ///   - payload: The payload; nil for models that are other variants.
  public static func variant<Payload: MappedModel>(
    _ tag: String,
    _ make: @escaping @Sendable (Payload) -> Model,
    payload: @escaping @Sendable (Model) -> Payload?
  ) -> Self {
    variant(.tag(tag), tag: tag, make, payload)
  }

  /// A variant that is recognized by what its object holds.
  ///
  /// - Parameters:
  ///   - condition: Whether an object is one of the variant.
  ///   - make: Makes the model of the payload, whose mapping reads the object.
  ///   - payload: The payload; nil for models that are other variants.
  public static func variant<Payload: MappedModel>(
    when condition: @escaping @Sendable (FieldProbe) -> Bool,
    _ make: @escaping @Sendable (Payload) -> Model,
    payload: @escaping @Sendable (Model) -> Payload?
  ) -> Self {
    variant(.fields(condition), tag: "", make, payload)
  }

  private static func variant<Payload: MappedModel>(
    _ choice: Choice, tag: String,
    _ make: @escaping @Sendable (Payload) -> Model,
    _ payload: @escaping @Sendable (Model) -> Payload?
  ) -> Self {
    Self(
      choice: choice,
      payload: Payload.self,
      read: { decoder, index, _ in make(try Payload.decode(from: decoder, at: index)) },
      tag: { payload($0) == nil ? nil : tag },
      write: { model, encoder, index in
        guard let payload = payload(model) else { return false }
        try payload.encode(to: encoder, at: index)
        return true
      },
      sample: { sample in Payload.sample(sample).map(make) },
      merge: { stored, incoming in
        guard let stored = payload(stored), let incoming = payload(incoming) else { return nil }
        return Payload.mapping.merged(incoming, into: stored).map(make)
      })
  }

  /// A variant that is one model, without a payload.
  ///
  /// - Parameters:
  ///   - tag: The discriminator's value.
  ///   - model: The model.
  ///   - isVariant: Whether a model is of the variant.
  public static func variant(
    _ tag: String, _ model: Model, where isVariant: @escaping @Sendable (Model) -> Bool
  ) -> Self where Model: Sendable {
    bare(.tag(tag), make: { _ in model }, tag: { isVariant($0) ? tag : nil })
  }

  /// The variant of every value of the discriminator that the others do not
  /// have. Nothing but that value is kept of the object, and written.
  ///
  /// - Parameters:
  ///   - make: Makes the model of the discriminator's value.
  ///   - tag: The discriminator's value; nil for models that are other
  ///     variants.
  public static func unknown(
    _ make: @escaping @Sendable (String) -> Model,
    tag: @escaping @Sendable (Model) -> String?
  ) -> Self {
    bare(.unknown, make: make, tag: tag)
  }

  private static func bare(
    _ choice: Choice,
    make: @escaping @Sendable (String) -> Model,
    tag: @escaping @Sendable (Model) -> String?
  ) -> Self {
    Self(
      choice: choice,
      payload: nil,
      read: { decoder, index, tag in
        _ = try decoder.object(at: index, keys: noKeys)
        return make(tag)
      },
      tag: tag,
      write: { model, encoder, index in
        guard tag(model) != nil else { return false }
        try encoder.encodeObject(at: index, keys: noKeys) { _ in }
        return true
      },
      sample: { sample in
        if case .tag(let tag) = choice { make(tag) } else { nil }
      })
  }
}

/// The keys of a variant without payload.
private let noKeys = MappingKeys([], of: "")
