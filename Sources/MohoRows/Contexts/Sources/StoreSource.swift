import MohoMapping

/// Reads rows from a store, in the transaction of the caller or, outside a
/// transaction, in a separate one for each read.
final class StoreSource: RowSource {
  private let store: ModelStore

  init(_ store: ModelStore) { self.store = store }

  func fetch(_ request: RowRequest) throws -> [FetchedRow] {
    try store.read { try $0.session.fetch(request) }
  }

  func rows(of entity: CompiledEntity, _ identities: [RowIdentity]) throws -> [FetchedRow] {
    try store.read { try $0.session.rows(of: entity, identities) }
  }

  func members(
    by relationship: CompiledRelationship, of owners: [RowIdentity]
  ) throws -> [RowIdentity: [FetchedMember]] {
    if relationship.slot != nil { return [:] }
    return try store.read { try $0.session.members(by: relationship, of: owners) }
  }

  func owners(
    by relationship: CompiledRelationship, of members: [RowIdentity]
  ) throws -> [RowIdentity: [FetchedRow]] {
    try store.read { try $0.session.owners(by: relationship, of: members) }
  }

  func rows(
    of entity: CompiledEntity, with columns: [UniqueKeyColumn], in keys: [UniqueKey]
  ) throws -> [FetchedRow] {
    try store.read { try $0.session.rows(of: entity, with: columns, in: keys) }
  }
}
