extension ModelVariant {
  /// The variant for all discriminator values that no other variant has, with
  /// the other members of the object as JSON.
  ///
  /// ```swift
  /// enum Event: MappedModel {
  ///   case labeled(LabeledEvent)
  ///   case other(String, JSONValue)
  ///
  ///   static let mapping = Mapping<Event>(
  ///     "Event", discriminator: "event",
  ///     .variant("labeled", Event.labeled) { … },
  ///     .unknown(Event.other) {
  ///       if case .other(let event, let members) = $0 { (event, members) } else { nil }
  ///     })
  /// }
  /// ```
  ///
  /// The members have the form of a key that receives unknown members; see
  /// `KeyMapping.unknown(_:_:)`. They are written back.
  ///
  /// - Parameters:
  ///   - make: Creates the model from the value of the discriminator and the
  ///     members.
  ///   - content: Returns the value of the discriminator and the members, or nil
  ///     for a model of another variant.
  public static func unknown(
    _ make: @escaping @Sendable (String, JSONValue) -> Model,
    content: @escaping @Sendable (Model) -> (tag: String, content: JSONValue)?
  ) -> Self {
    unknown({ tag, content in make(tag, content.members) }) { model in
      content(model).map { ($0.tag, UnknownContent(members: $0.content)) }
    }
  }
}

/// The members of an object whose variant is unknown.
struct UnknownContent: MappedModel {
  var members: JSONValue

  static let mapping = Mapping(
    "UnknownContent", UnknownContent.init, .unknown("members", \.members))
}
