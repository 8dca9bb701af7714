public import MohoMapping

/// The keys of a model, by its properties, for the conditions of a request.
///
/// Where a member of this type hides a property, the subscript has the key, as
/// in `$0[\.isRow]`.
@dynamicMemberLookup
public struct ModelKeys<Model: MappedModel>: Sendable {
  /// The row that has the keys.
  let row: KeyName

  init(_ row: KeyName) { self.row = row }

  /// The key that a property is mapped to.
  public subscript<Value>(dynamicMember keyPath: KeyPath<Model, Value>) -> ModelKey<Value> {
    ModelKey(row.appending(keyPath, of: Model.self), keyPath, of: Model.self)
  }

  /// The key that a property is mapped to.
  public subscript<Value>(_ keyPath: KeyPath<Model, Value>) -> ModelKey<Value> {
    self[dynamicMember: keyPath]
  }

  /// Whether the row is the one that a reference refers to.
  public func isRow(_ reference: Reference<Model>) -> Filter {
    .row(row, .uniqueKey(reference.key))
  }

  /// Whether the row has an identity.
  public func isRow(identity: Int64) -> Filter { .row(row, .identity(identity)) }
}
