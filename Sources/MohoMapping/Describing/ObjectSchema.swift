/// The keys of a mapping with the forms of their values.
package struct ObjectSchema: Sendable {
  /// The identity of a mapping: mappings that are created for each use have equal
  /// identities.
  package struct ID: Hashable, Sendable {
    let model: ObjectIdentifier
    let name: String
    let keys: [FieldKey]
  }

  package struct Key: Sendable {
    package let key: FieldKey
    package let schema: FieldSchema
    /// The written default, or nil.
    package let defaultValue: FieldContent?
    /// The schema of an inlined model.
    package let inlined: (@Sendable () -> ObjectSchema)?
  }

  package struct Variant: Sendable {
    package enum Tag: Sendable {
      case value(String)
      case unknown
      /// The variant is chosen by a condition.
      case condition
    }

    package let tag: Tag
    /// The schema of the variant's model, if it has one.
    package let content: (@Sendable () -> ObjectSchema)?
  }

  package struct Cluster: Sendable {
    package let discriminator: FieldPath?
    package let alternatives: [FieldPath]
    package let variants: [Variant]
  }

  package let id: ID
  package let name: String
  package let keys: [Key]
  /// The keys by which references identify a model. The schema of a relation is
  /// that of a reference.
  package let identity: [Key]
  /// The variants if the model is a cluster.
  package let cluster: Cluster?
  /// Whether the type of the model has another mapping with other keys.
  let isOtherMapping: Bool
}

extension Mapping {
  package var objectSchema: ObjectSchema {
    let keys = self.keys.indices.map { index in
      let inlined = fieldKeys.isCluster ? nil : fieldKeys.inlined[index]?.first
      return ObjectSchema.Key(
        key: self.keys[index], schema: fields[index].schema,
        defaultValue: defaultContent(at: index), inlined: inlined.map { $0.objectSchema })
    }
    return ObjectSchema(
      id: ObjectSchema.ID(model: ObjectIdentifier(Model.self), name: name, keys: self.keys),
      name: name, keys: keys,
      identity: identity.map { index in
        guard let model = keys[index].key.relation?.models.model else { return keys[index] }
        return ObjectSchema.Key(
          key: keys[index].key, schema: FieldSchema(.reference(model.objectSchema)),
          defaultValue: nil, inlined: nil)
      },
      cluster: parts.clusterSchema,
      isOtherMapping: (Model.self as? any MappedModel.Type)
        .map { $0.table !== fieldKeys && $0.table.keys != self.keys } ?? false)
  }

  /// Returns a function that describes the model that a key nests or inlines. Nil if the
  /// key is not a nested model.
  package func nestedModel(at index: Int) -> (@Sendable () -> ObjectSchema?)? {
    // The fields of a variant are keys of different models.
    guard keys[index].type == .object, keys[index].relation == nil, !fieldKeys.isCluster
    else { return nil }
    if let inlined = fieldKeys.inlined[index]?.first { return inlined.objectSchema }
    let schema = fields[index].schema
    return { schema.object }
  }
}

extension MappedModel {
  fileprivate static var objectSchema: @Sendable () -> ObjectSchema {
    { mapping.objectSchema }
  }
}

extension Cluster {
  var schema: ObjectSchema.Cluster {
    ObjectSchema.Cluster(
      discriminator: discriminator, alternatives: alternatives,
      variants: variants.map { variant in
        let tag: ObjectSchema.Variant.Tag =
          switch variant.choice {
          case .tag(let tag): .value(tag)
          case .unknown: .unknown
          case .fields: .condition
          }
        return ObjectSchema.Variant(tag: tag, content: variant.payload.map { $0.objectSchema })
      })
  }
}
