public import MohoMapping

/// The keys of a model, accessed by its properties, for the conditions of a
/// request.
///
/// If a member of this type has the same name as a property, access the key
/// with the subscript, as in `$0[\.isRow]`.
@dynamicMemberLookup
public struct ModelKeys<Model: MappedModel>: Sendable {
  /// The path of the row that has the keys.
  let row: KeyName

  init(_ row: KeyName) { self.row = row }

  /// The key of a mapped property.
  public subscript<Value>(dynamicMember keyPath: KeyPath<Model, Value>) -> ModelKey<Value> {
    ModelKey(row.appending(keyPath, of: Model.self), keyPath, of: Model.self)
  }

  /// The key of a mapped property.
  public subscript<Value>(_ keyPath: KeyPath<Model, Value>) -> ModelKey<Value> {
    self[dynamicMember: keyPath]
  }

  /// A filter that matches the referenced row.
  public func isRow(_ reference: ModelReference<Model>) -> Filter {
    .row(row, .uniqueKey(reference.key))
  }

  /// A filter that matches the row with an identity.
  public func isRow(identity: Int64) -> Filter { .row(row, .identity(identity)) }
}
