extension Mapping where Model: Sendable {
  /// Declares a cluster: models of several forms, of which a value in their
  /// object tells which one it is.
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
  /// The keys of the variant lie in the same object, behind the discriminator.
  /// A variant may map the discriminator too: it is written once, by the
  /// cluster. Of variants that claim the same model, the first one writes it.
  ///
  /// A cluster has two keys: the discriminator and the fields of the variant.
  /// Its only property is `\.self`. It is changed as a whole: a ``Partial``
  /// either has both keys, with the whole model, or none.
  ///
  /// - Parameters:
  ///   - name: The name of the cluster in messages.
  ///   - discriminator: Where documents hold the value, a text.
  ///   - alternatives: Where else to look for it where there is nothing.
  ///   - variants: The forms, each with its value of the discriminator, and at
  ///     most one for unknown values. Without that, an unknown value is a
  ///     ``MappingError`` of code ``MappingError/Code/invalidValue``.
  public init(
    _ name: String, discriminator: FieldPath, alternatives: [FieldPath] = [],
    _ variants: ModelVariant<Model>...
  ) {
    self.init(
      cluster: Cluster(
        name: name, discriminator: discriminator, alternatives: alternatives, variants: variants))
  }

  /// Declares a cluster whose models are told apart by what their objects hold.
  ///
  /// ```swift
  /// static let mapping = Mapping<Account>("Account",
  ///   choosing: .variant(when: { $0.has("username") }, Account.user) {
  ///     if case .user(let model) = $0 { model } else { nil }
  ///   })
  /// ```
  ///
  /// The first variant whose condition an object meets reads it; an object that
  /// meets none is a ``MappingError`` of code
  /// ``MappingError/Code/invalidValue``.
  ///
  /// - Parameters:
  ///   - name: The name of the cluster in messages.
  ///   - variants: The forms, each with its condition.
  public init(_ name: String, choosing variants: ModelVariant<Model>...) {
    self.init(cluster: Cluster(name: name, discriminator: nil, variants: variants))
  }

  private init(cluster: Cluster<Model>) {
    name = cluster.name
    mappingKeys = cluster.mappingKeys
    fields = cluster.fields
    writers = KeyWriters(cluster.writers, cluster.mappingKeys)
    copies = nil
    declaredIssues = cluster.issues
    let payload = cluster.payload
    readAll = { decoder, advance, models in
      while try advance() {
        do {
          models.append(try cluster.read(decoder))
        } catch {
          throw KeyFailure(index: payload, error: error)
        }
      }
    }
    assemble = { value in (value(payload) as? ValueBox<Model>)?.value }
    rebuild = { model, replacement in
      (replacement(payload) as? ValueBox<Model>)?.value ?? model.pointee
    }
  }
}

extension Mapping {
  /// The error of a cluster whose reading failed: the variant has collected its
  /// own.
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

  /// The positions of the keys that change together with one: all of a cluster.
  func indexes(changingWith index: Int) -> Range<Int> {
    mappingKeys.isCluster ? keys.indices : index..<(index + 1)
  }
}
