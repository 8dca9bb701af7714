public import MohoMapping

extension JSONAdapter {
  /// Returns an adapter that sets a value which documents do not contain, such as the server
  /// that they come from.
  ///
  /// ```swift
  /// static let mapping = Mapping("Status", Status.init,
  ///   .key("server", \.server, .storeOnly), .key("id", \.id), …)
  ///   .identified(by: \.server, \.id)
  ///
  /// let adapter = JSONAdapter<Status>().setting(\.server, to: "example.com")
  /// let statuses = try adapter.models(from: response)
  /// ```
  ///
  /// The key must have the trait `.storeOnly`. Decoded models and partial models have the value
  /// of the adapter instead of the default. A store-only key without a default that is not
  /// optional must be set: otherwise, decoding throws a `MappingError`.
  ///
  /// Nested models get the value, too, if they have a store-only key with the same name and
  /// type, and so do references: if a `ModelReference` needs values of several keys and the
  /// adapter sets all but one of them, documents can contain the bare value of that one.
  ///
  /// - Parameters:
  ///   - keyPath: The property of the key. If it is not a store-only key, decoding throws a
  ///     `MappingError`.
  ///   - value: The value. A second call for the same key replaces it.
  public func setting<Value: Sendable>(
    _ keyPath: KeyPath<Model, Value>, to value: Value
  ) -> JSONAdapter {
    supplying(value, mapping.key(for: keyPath), mapping.shown(keyPath))
  }

  /// Returns an adapter that sets a value of nested models, if the adapter's own models do not
  /// have the key.
  ///
  /// ```swift
  /// let adapter = JSONAdapter<Timeline>().setting(\Status.server, to: "example.com")
  /// ```
  ///
  /// The value also applies to the other models with such a key, as described for
  /// ``setting(_:to:)-(KeyPath<Model,Value>,_)``.
  @_disfavoredOverload
  public func setting<Nested: MappedModel, Value: Sendable>(
    _ keyPath: KeyPath<Nested, Value>, to value: Value
  ) -> JSONAdapter {
    supplying(value, Nested.mapping.key(for: keyPath), Nested.mapping.shown(keyPath))
  }

  private func supplying<Value: Sendable>(
    _ value: Value, _ key: FieldKey?, _ property: String
  ) -> JSONAdapter {
    var adapter = self
    if let key, key.traits.contains(.storeOnly) {
      adapter.supplied.set(value, named: key.name)
      adapter.idleScanners = IdleObjects()
    } else {
      adapter.supplyIssue =
        key == nil
        ? "an adapter sets \(property), which is not a key"
        : "an adapter sets \(property), which documents contain; only keys with the trait"
          + " `storeOnly` can be set"
    }
    return adapter
  }
}
