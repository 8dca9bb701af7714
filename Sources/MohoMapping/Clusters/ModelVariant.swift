/// One variant of a cluster: a case of an enum with its payload, or one of
/// several types behind a protocol.
///
/// Create variants with the leading-dot factories in a call to
/// ``Mapping/init(_:discriminator:alternatives:_:)`` or
/// ``Mapping/init(_:choosing:)``.
public struct ModelVariant<Model>: Sendable {
  /// How a variant is recognized when a model is read.
  enum Choice: Sendable {
    /// By the value of the discriminator.
    case tag(String)
    /// By the fields of the object.
    case fields(@Sendable (FieldProbe) -> Bool)
    /// By a value of the discriminator that no other variant has.
    case unknown
  }

  typealias Read = @Sendable (any FieldDecoder, Int, _ tag: String) throws -> Model

  let choice: Choice
  /// The model whose keys are in the object, or nil.
  let payload: (any MappedModel.Type)?
  /// Creates the model from the object at an index.
  let read: Read
  /// Returns the value of the discriminator, or nil for a model of another
  /// variant.
  let tag: @Sendable (Model) -> String?
  /// Writes a model, or returns false for a model of another variant.
  let write: @Sendable (Model, any FieldEncoder, Int) throws -> Bool
  let sample: @Sendable (FieldSample) -> Model?
  /// Merges two models of the variant by the policies of the payload. Nil keeps
  /// the incoming model.
  var merge: (@Sendable (_ stored: Model, _ incoming: Model) -> Model?)?
  /// Changes the unknown members of the payload.
  var receiver: Receiver?

  /// A variant that is identified by the value of the discriminator.
  ///
  /// - Parameters:
  ///   - tag: The value of the discriminator.
  ///   - make: Creates the model from the payload, which is read from the
  ///     object.
  ///   - payload: Returns the payload, or nil for a model of another variant.
  public static func variant<Payload: MappedModel>(
    _ tag: String,
    _ make: @escaping @Sendable (Payload) -> Model,
    payload: @escaping @Sendable (Model) -> Payload?
  ) -> Self {
    variant(.tag(tag), tag: tag, make, payload)
  }

  /// A variant that is identified by the fields of its object.
  ///
  /// - Parameters:
  ///   - condition: Whether an object belongs to the variant.
  ///   - make: Creates the model from the payload, which is read from the
  ///     object.
  ///   - payload: Returns the payload, or nil for a model of another variant.
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
      },
      receiver: Receiver(payload) { make($1) })
  }

  /// A variant that is a single model without a payload.
  ///
  /// - Parameters:
  ///   - tag: The value of the discriminator.
  ///   - model: The model.
  ///   - isVariant: Whether a model is of this variant.
  public static func variant(
    _ tag: String, _ model: Model, where isVariant: @escaping @Sendable (Model) -> Bool
  ) -> Self where Model: Sendable {
    withoutPayload(.tag(tag), make: { _ in model }, tag: { isVariant($0) ? tag : nil })
  }

  /// The variant for all discriminator values that no other variant has. Only
  /// that value is read and written. The other members of the object are lost.
  /// To keep them, use `.unknown(_:content:)`.
  ///
  /// - Parameters:
  ///   - make: Creates the model from the value of the discriminator.
  ///   - tag: Returns the value of the discriminator, or nil for a model of
  ///     another variant.
  public static func unknown(
    _ make: @escaping @Sendable (String) -> Model,
    tag: @escaping @Sendable (Model) -> String?
  ) -> Self {
    withoutPayload(.unknown, make: make, tag: tag)
  }

  /// The variant for all discriminator values that no other variant has, with
  /// the content of the object.
  ///
  /// ```swift
  /// struct UnknownEvent: MappedModel {
  ///   var actor: String?
  ///   var members: [String: JSONValue]
  ///   …
  /// }
  ///
  /// .unknown(Event.other) {
  ///   if case .other(let type, let event) = $0 { (type, event) } else { nil }
  /// }
  /// ```
  ///
  /// The keys of the content follow the discriminator in the same object. A key
  /// of the content that receives unknown members preserves all of them.
  ///
  /// - Parameters:
  ///   - make: Creates the model from the value of the discriminator and the
  ///     content, which is read from the object.
  ///   - content: Returns the value of the discriminator and the content, or nil
  ///     for a model of another variant.
  public static func unknown<Content: MappedModel>(
    _ make: @escaping @Sendable (String, Content) -> Model,
    content: @escaping @Sendable (Model) -> (tag: String, content: Content)?
  ) -> Self {
    Self(
      choice: .unknown,
      payload: Content.self,
      read: { decoder, index, tag in
        make(tag, try Content.decode(from: decoder, at: index))
      },
      tag: { content($0)?.tag },
      write: { model, encoder, index in
        guard let content = content(model)?.content else { return false }
        try content.encode(to: encoder, at: index)
        return true
      },
      sample: { _ in nil },
      merge: { stored, incoming in
        guard let stored = content(stored), let incoming = content(incoming),
          stored.tag == incoming.tag
        else { return nil }
        return Content.mapping.merged(incoming.content, into: stored.content)
          .map { make(incoming.tag, $0) }
      },
      receiver: Receiver({ content($0)?.content }) { model, payload in
        content(model).map { make($0.tag, payload) } ?? model
      })
  }

  private static func withoutPayload(
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

private let noKeys = FieldKeys([], of: "")
