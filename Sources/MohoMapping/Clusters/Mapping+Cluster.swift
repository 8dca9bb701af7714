extension Mapping where Model: Sendable {
  /// Declares a cluster: a model with several variants that a discriminator
  /// value in the object distinguishes.
  ///
  /// ```swift
  /// enum Flavor: MappedModel {
  ///   case chocolate(Chocolate)
  ///   case strawberry(Strawberry)
  ///
  ///   static let mapping = Mapping<Flavor>("Flavor", discriminator: "flavor",
  ///     .variant("chocolate", Flavor.chocolate) {
  ///       if case .chocolate(let model) = $0 { model } else { nil }
  ///     },
  ///     .variant("strawberry", Flavor.strawberry) {
  ///       if case .strawberry(let model) = $0 { model } else { nil }
  ///     })
  /// }
  /// ```
  ///
  /// The keys of the variant follow the discriminator in the same object. A
  /// variant can map the discriminator as well. The cluster writes it once. If
  /// several variants accept a model, the first one writes it.
  ///
  /// A cluster has two keys: the discriminator and the fields of the variant.
  /// Its only property is `\.self`. It changes as a whole: a ``Partial``
  /// contains both keys with the whole model, or neither.
  ///
  /// - Parameters:
  ///   - name: The name of the cluster in messages.
  ///   - discriminator: The path of the discriminator, a string.
  ///   - alternatives: Paths to read if the first one has no value.
  ///   - variants: The variants with their discriminator values. At most one of
  ///     them accepts unknown values. Without it, an unknown value is a
  ///     ``MappingError`` with code ``MappingError/Code/invalidValue``.
  public init(
    _ name: String, discriminator: FieldPath, alternatives: [FieldPath] = [],
    _ variants: ModelVariant<Model>...
  ) {
    self.init(
      cluster: Cluster(
        name: name, discriminator: discriminator, alternatives: alternatives, variants: variants))
  }

  /// Declares a cluster whose variants are distinguished by the fields of the
  /// object.
  ///
  /// ```swift
  /// static let mapping = Mapping<Account>("Account",
  ///   choosing: .variant(when: { $0.has("username") }, Account.user) {
  ///     if case .user(let model) = $0 { model } else { nil }
  ///   })
  /// ```
  ///
  /// The first variant whose condition is true reads the object. If no
  /// condition is true, a ``MappingError`` with code
  /// ``MappingError/Code/invalidValue`` is thrown.
  ///
  /// - Parameters:
  ///   - name: The name of the cluster in messages.
  ///   - variants: The variants with their conditions.
  public init(_ name: String, choosing variants: ModelVariant<Model>...) {
    self.init(cluster: Cluster(name: name, discriminator: nil, variants: variants))
  }

  private init(cluster: Cluster<Model>) {
    let payload = cluster.payload
    let read: @Sendable (any FieldDecoder) throws -> Model = { decoder in
      do {
        return try cluster.read(decoder)
      } catch {
        throw KeyFailure(index: payload, error: error)
      }
    }
    var parts = MappingParts<Model>(
      name: cluster.name, fieldKeys: cluster.fieldKeys, declaredIssues: cluster.issues,
      fields: cluster.fields, keyPaths: cluster.fields.map { $0.keyPath },
      writers: KeyWriters(cluster.writers, cluster.fieldKeys), read: read,
      readAll: MappingParts.loop(read),
      rebuild: { model, replacement in
        (replacement(payload) as? ValueBox<Model>)?.value ?? model.pointee
      },
      assemble: { value in (value(payload) as? ValueBox<Model>)?.value })
    parts.clusterSchema = cluster.schema
    self.init(parts)
  }
}

extension Mapping {
  /// Returns the error of a cluster that could not be read. The variant has
  /// already collected its own errors.
  func failure(ofCluster first: any Error, _ decoder: any FieldDecoder) -> any Error {
    let error =
      first as? MappingError
      ?? decoder.error(
        .invalidValue, at: keys.count - 1, expected: nil, underlying: first)
    let errors = error.errors.map { error in
      var named = error
      named.model = error.model ?? name
      return named
    }
    return MappingError(errors) ?? first
  }

  /// The indexes of the keys that change together with one key: all keys of a
  /// cluster.
  func indexes(changingWith index: Int) -> Range<Int> {
    fieldKeys.isCluster ? keys.indices : index..<(index + 1)
  }
}
