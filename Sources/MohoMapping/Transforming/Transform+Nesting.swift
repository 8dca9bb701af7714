extension Transform {
  /// A nested object whose keys a mapping declares: another than the value's
  /// own, or one of a type that is not a ``MappedModel``.
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
  /// Its rules run and its errors have their paths, as those of a model that is
  /// nested by its own mapping. A store holds the object as JSON text in the
  /// key's column. A mapping can nest itself: it is asked for where a value is
  /// read or written, and not in the declaration.
  ///
  /// - Parameter mapping: The keys of the object.
  public static func nested(
    by mapping: @autoclosure @escaping @Sendable () -> Mapping<Value>
  ) -> Transform<Value> {
    Transform(
      type: .object,
      isOptional: false,
      read: { decoder, index in
        let mapping = mapping()
        try mapping.checkDeclaration()
        return try mapping.model(from: decoder.object(at: index, keys: mapping.mappingKeys))
      },
      write: { value, encoder, index in
        let mapping = mapping()
        try mapping.checkDeclaration()
        try encoder.encodeObject(at: index, keys: mapping.mappingKeys) { encoder in
          try mapping.encode(value, to: encoder)
        }
      },
      sample: { $0.nested(in: Value.self).flatMap { mapping().sample($0) } })
  }
}
