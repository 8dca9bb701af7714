extension Transform {
  /// A nested object with the keys of another mapping: for a type that is not a
  /// ``MappedModel``, or a second form of a type that is.
  ///
  /// ```swift
  /// extension Podcast {
  ///   static let summary = Mapping<Podcast>("Podcast", { Podcast(id: $0, title: $1) },
  ///     .key("id", \.id), .key("title", \.title, json: "name"))
  /// }
  ///
  /// .key("podcast", \.podcast, .nested(by: Podcast.summary))
  /// ```
  ///
  /// Validations, repairs and the paths of errors are those of a nested model.
  /// A store holds the object as JSON text in the column of the key. A mapping
  /// can nest itself: the argument is evaluated when a value is read or
  /// written.
  ///
  /// - Parameter mapping: The keys of the object.
  public static func nested(
    by mapping: @autoclosure @escaping @Sendable () -> Mapping<Value>
  ) -> Transform<Value> {
    Transform(
      type: .object,
      isOptional: false,
      schema: FieldSchema(.object { mapping().objectSchema }),
      read: { decoder, index in try mapping().model(from: decoder, at: index) },
      write: { value, encoder, index in try mapping().encode(value, to: encoder, at: index) },
      sample: { $0.nested(in: Value.self).flatMap { mapping().sample($0) } })
  }
}
