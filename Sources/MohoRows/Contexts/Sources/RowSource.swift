package import MohoMapping

/// The source of a context's rows: a store, or the parent context.
package protocol RowSource: AnyObject {
  /// The rows of a request, in its order.
  func fetch(_ request: RowRequest) throws -> [FetchedRow]

  /// The existing rows of a list of identities, in no particular order.
  func rows(of entity: CompiledEntity, _ identities: [RowIdentity]) throws -> [FetchedRow]

  /// The rows at the other end of a relationship that is not a column, in order,
  /// by the identities of their owners. Owners without members are omitted.
  func members(
    by relationship: CompiledRelationship, of owners: [RowIdentity]
  ) throws -> [RowIdentity: [FetchedMember]]

  /// The rows that have one of several unique keys.
  func rows(
    of entity: CompiledEntity, with columns: [UniqueKeyColumn], in keys: [UniqueKey]
  ) throws -> [FetchedRow]
}

/// The values of a row that was read.
package struct FetchedRow: Sendable {
  package let identity: RowIdentity
  let attributes: [FieldContent]
  /// The rows that the row's columns link to, by slot.
  let targets: [RowIdentity?]

  package init(identity: RowIdentity, attributes: [FieldContent], targets: [RowIdentity?]) {
    self.identity = identity
    self.attributes = attributes
    self.targets = targets
  }
}

/// A row at the other end of a relationship.
package struct FetchedMember: Sendable {
  let row: FetchedRow
  /// Its position, if the relationship is ordered.
  let position: Int64?

  package init(row: FetchedRow, position: Int64?) {
    self.row = row
    self.position = position
  }
}
