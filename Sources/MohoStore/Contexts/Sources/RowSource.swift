import MohoMapping

/// Where a context reads rows from: a store, or the context that it is a child
/// of.
protocol RowSource: AnyObject {
  /// The rows of a request, in its order.
  func fetch(_ request: RowRequest) throws -> [FetchedRow]

  /// The rows of identities that are there, in no particular order.
  func rows(of entity: CompiledEntity, _ identities: [RowIdentity]) throws -> [FetchedRow]

  /// The rows at the other end of a relationship that is no column, by the
  /// identities of those at this end, in their order; absent where there are
  /// none.
  func members(
    by relationship: CompiledRelationship, of owners: [RowIdentity]
  ) throws -> [RowIdentity: [FetchedMember]]

  /// The rows that have one of several unique keys.
  func rows(
    of entity: CompiledEntity, with columns: [UniqueKeyColumn], in keys: [UniqueKey]
  ) throws -> [FetchedRow]
}

/// A row as it was read.
struct FetchedRow: Sendable {
  let identity: RowIdentity
  let attributes: [FieldContent]
  /// The rows that the links in the row's columns lead to, by slot.
  let targets: [RowIdentity?]
}

/// A row at the other end of a relationship.
struct FetchedMember: Sendable {
  let row: FetchedRow
  /// Its position in the order, if it has one.
  let position: Int64?
}
